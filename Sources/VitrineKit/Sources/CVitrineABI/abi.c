#include "vitrine_plugin.h"

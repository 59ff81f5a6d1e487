#pragma once
#include <isa-l/crc.h>

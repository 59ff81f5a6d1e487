#pragma once
/* The parser for XML of servers. */
#include <expat.h>

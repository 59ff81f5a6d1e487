#pragma once
#include <cairo.h>
#include <libgxps/gxps.h>
#include <zlib.h>

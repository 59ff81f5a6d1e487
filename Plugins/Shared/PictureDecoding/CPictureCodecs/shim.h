#pragma once
#include <stdlib.h>
#include <string.h>
#include <gif_lib.h>
#include <png.h>
#include <turbojpeg.h>
#include <webp/decode.h>
#include <zlib.h>

/* PNG_FORMAT_BGRA, which Swift does not import. */
static const png_uint_32 cpicturecodecs_png_bgra = PNG_FORMAT_BGRA;

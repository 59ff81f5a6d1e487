#pragma once
#include <cairo.h>
#include <fontconfig/fontconfig.h>
#include <librsvg/rsvg.h>
#include <pango/pangocairo.h>
#include <zlib.h>

/* Starts to inflate a gzip stream (RFC 1952); a macro of zlib, which Swift cannot import. */
static inline int crsvg_inflate_gzip(z_stream *stream) { return inflateInit2(stream, MAX_WBITS + 16); }

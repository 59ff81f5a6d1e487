#pragma once
#include <iconv.h>
#include <uchardet.h>

/* What iconv_open returns when it fails: a macro's cast, which Swift cannot import. */
static inline int cletters_is_converter(iconv_t converter) { return converter != (iconv_t)-1; }

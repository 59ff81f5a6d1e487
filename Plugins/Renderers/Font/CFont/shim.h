#pragma once
#include <ft2build.h>
#include FT_COLOR_H
#include FT_FREETYPE_H
#include FT_SFNT_NAMES_H
#include FT_TRUETYPE_IDS_H
#include FT_WINFONTS_H
#include <cairo-ft.h>
#include <hb-ft.h>
#include <hb.h>

/// Under which cairo holds who owns a face.
static inline const cairo_user_data_key_t *cfont_holder_key(void) {
    static const cairo_user_data_key_t key;
    return &key;
}

/* FT_Error_String has nothing to say where FreeType was built without its texts, as Debian's is: its header has them all the
 * same, as a list of macros. NULL for what is no error of FreeType. */
static inline const char *cfont_error_text(FT_Error error) {
#undef FTERRORS_H_
#define FT_ERROR_START_LIST switch (error) {
#define FT_ERRORDEF(name, value, text) case value: return text;
#define FT_ERROR_END_LIST default: return NULL; }
#include <freetype/fterrors.h>
}

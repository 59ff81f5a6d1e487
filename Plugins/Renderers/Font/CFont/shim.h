#pragma once
#include <ft2build.h>
#include FT_FREETYPE_H
#include FT_SFNT_NAMES_H
#include FT_TRUETYPE_IDS_H
#include <cairo-ft.h>
#include <hb-ft.h>
#include <hb.h>

/// Under which cairo holds who owns a face.
static inline const cairo_user_data_key_t *cfont_holder_key(void) {
    static const cairo_user_data_key_t key;
    return &key;
}

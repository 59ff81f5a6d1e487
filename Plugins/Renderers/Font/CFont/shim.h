#pragma once
#include <ft2build.h>
#include FT_FREETYPE_H
#include FT_SFNT_NAMES_H
#include FT_TRUETYPE_IDS_H
#include <cairo-ft.h>
#include <hb-ft.h>
#include <hb.h>

#pragma once
#include <png.h>
#include <setjmp.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <webp/decode.h>
#include "packed.h"
#include "texture.h"
#include "unpack.h"

/* What is wrong with a picture. */
typedef struct vi_words { char text[96]; } vi_words;

/* PNG row by row. libpng leaves its functions by longjmp when something is wrong, which Swift cannot live with: here each
 * function catches that and answers 0. */
typedef struct vi_png {
    const uint8_t *next, *end;
    /* Where the next chunk begins; who unpacks the pixels, and whether they have begun. */
    const uint8_t *chunk;
    vi_unpacker *unpacker;
    int is_unpacking;
    png_structp reader;
    png_infop info;
    int width, height;
    /* 1 when pixels have one colour, or an alpha that is not 255 everywhere. */
    int is_gray, has_alpha;
    /* 1 when nothing is said of the pixels' light but what sRGB says, or a profile. */
    int is_plain;
    /* 1 when rows come in seven passes (Adam7), for vi_png_rows. */
    int is_interlaced;
    /* The ICC profile; valid as long as this. NULL and 0 when there is none. */
    const uint8_t *profile;
    size_t profile_length;
} vi_png;

static inline void vi_png_take(png_structp reader, png_bytep to, size_t count) {
    vi_png *file = (vi_png *)png_get_io_ptr(reader);
    if (!file->is_unpacking && file->next == file->chunk && count == 8 && file->end - file->next >= 8) {
        /* The head of a chunk. */
        if (memcmp(file->next + 4, "IDAT", 4) == 0) {
            vi_unpack(file->unpacker, file->next, file->end);
            file->is_unpacking = 1;
        } else {
            size_t length = (size_t)vi_big(file->next) + 12;
            file->chunk = length <= (size_t)(file->end - file->next) ? file->next + length : file->end;
        }
    }
    if (file->is_unpacking) {
        if (!vi_take_unpacked(file->unpacker, to, count)) png_error(reader, "the packed pixels are cut off or damaged");
        return;
    }
    if ((size_t)(file->end - file->next) < count) png_error(reader, "it is cut off");
    memcpy(to, file->next, count);
    file->next += count;
}
static inline void vi_png_fail(png_structp reader, png_const_charp text) {
    vi_words *words = (vi_words *)png_get_error_ptr(reader);
    /* The rest stays 0. */
    if (words && text) strncpy(words->text, text, sizeof words->text - 1);
    png_longjmp(reader, 1);
}
static inline void vi_png_pass(png_structp reader, png_const_charp text) { (void)reader, (void)text; }

static inline void vi_png_close(vi_png *file) {
    if (!file) return;
    png_destroy_read_struct(&file->reader, &file->info, NULL);
    free(file);
}

/* What the chunks before the pixels say; called by vi_png_open. */
static inline int vi_png_read_head(vi_png *file, int largest_side, size_t longest_chunk) {
    /* Text, which can be packed a thousandfold, and what no preview needs, is never unpacked. */
    static const uint8_t left_out[] = "tEXt\0zTXt\0iTXt\0sPLT\0hIST\0tIME\0oFFs\0pCAL\0sCAL\0eXIf";
    png_structp reader = file->reader;
    png_infop info = file->info;
    if (setjmp(png_jmpbuf(reader))) return 0;
    png_set_read_fn(reader, file, vi_png_take);
    png_set_user_limits(reader, (png_uint_32)largest_side, (png_uint_32)largest_side);
    png_set_chunk_malloc_max(reader, longest_chunk);
    png_set_keep_unknown_chunks(reader, PNG_HANDLE_CHUNK_NEVER, NULL, 0);
    png_set_keep_unknown_chunks(reader, PNG_HANDLE_CHUNK_NEVER, left_out, sizeof left_out / 5);
    png_read_info(reader, info);
    /* From here on the unpacker looks at the sums of chunks. */
    png_set_crc_action(reader, PNG_CRC_QUIET_USE, PNG_CRC_NO_CHANGE);
    png_set_option(reader, PNG_IGNORE_ADLER32, PNG_OPTION_ON);
    file->width = (int)png_get_image_width(reader, info);
    file->height = (int)png_get_image_height(reader, info);
    int colours = png_get_color_type(reader, info);
    file->is_gray = !(colours & PNG_COLOR_MASK_COLOR);
    file->has_alpha = (colours & PNG_COLOR_MASK_ALPHA) || png_get_valid(reader, info, PNG_INFO_tRNS);
    png_charp name;
    int packing;
    png_bytep profile;
    png_uint_32 length;
    if (png_get_iCCP(reader, info, &name, &packing, &profile, &length)) {
        file->profile = profile;
        file->profile_length = length;
    }
    /* In parts of 100,000. sRGB is written as 45455. */
    png_fixed_point gamma = 45455;
    if (!file->profile && !png_get_valid(reader, info, PNG_INFO_sRGB)) png_get_gAMA_fixed(reader, info, &gamma);
    file->is_plain = gamma >= 44000 && gamma <= 47000;
    file->is_interlaced = png_get_interlace_type(reader, info) != PNG_INTERLACE_NONE;
    if (file->is_interlaced) png_set_interlace_handling(reader);
    if (png_get_bit_depth(reader, info) == 16) png_set_scale_16(reader);
    png_set_expand(reader);
    png_set_gray_to_rgb(reader);
    if (!file->has_alpha) png_set_filler(reader, 255, PNG_FILLER_AFTER);
    png_read_update_info(reader, info);
    return png_get_rowbytes(reader, info) == (size_t)file->width * 4;
}

/* Opens a picture that lies in memory, which must stay there, with an unpacker that serves no other meanwhile; rows will have R, G, B and A, 8 bits each, not multiplied.
 * NULL when its head is damaged or beyond the limits, or when there is no memory. To be closed by vi_png_close. What libpng says
 * when it fails is left in `words`, which is empty before and lives longer. */
static inline vi_png *vi_png_open(
    const uint8_t *bytes, size_t count, int largest_side, size_t longest_chunk, vi_unpacker *unpacker, vi_words *words) {
    vi_png *file = (vi_png *)calloc(1, sizeof *file);
    if (!file) return NULL;
    file->next = bytes;
    file->end = bytes + count;
    file->unpacker = unpacker;
    /* Behind the signature. */
    file->chunk = count > 8 ? bytes + 8 : NULL;
    file->reader = png_create_read_struct(PNG_LIBPNG_VER_STRING, words, vi_png_fail, vi_png_pass);
    file->info = file->reader ? png_create_info_struct(file->reader) : NULL;
    if (!file->info || !vi_png_read_head(file, largest_side, longest_chunk)) {
        vi_png_close(file);
        return NULL;
    }
    return file;
}

/* Reads all rows of a picture that comes in passes, `stride` bytes from one to the next, which are 0 before. */
static inline int vi_png_rows(vi_png *file, uint8_t *rows, size_t stride) {
    if (setjmp(png_jmpbuf(file->reader))) return 0;
    for (int pass = 0; pass < PNG_INTERLACE_ADAM7_PASSES; pass++) {
        for (int y = 0; y < file->height; y++) png_read_row(file->reader, rows + (size_t)y * stride, NULL);
    }
    return 1;
}

/* Reads the next row of one that does not, 4 bytes for each pixel. */
static inline int vi_png_row(vi_png *file, uint8_t *row) {
    if (setjmp(png_jmpbuf(file->reader))) return 0;
    png_read_row(file->reader, row, NULL);
    return 1;
}

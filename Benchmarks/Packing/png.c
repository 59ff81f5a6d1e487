/* Compressors behind one filter, libpng as it comes, and Vitrine's own writer. libdeflate is looked for at run time: it is
 * not among what Vitrine needs. */
#include "packing.h"
#include <CPicture.h>
#include <dlfcn.h>
#include <isa-l/igzip_lib.h>
#include <png.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

enum { ZLIB, ZLIB_RUNS, LIBDEFLATE, ISAL };
enum { NO_FILTER = 0, SUB = 1, UP = 2 };

static uint8_t *filtered, *packed;
static size_t room;

static int make_room(size_t count) {
    if (room >= count) return 1;
    free(filtered);
    free(packed);
    filtered = malloc(count);
    packed = malloc(count * 2 + 4096);
    room = filtered && packed ? count : 0;
    return room > 0;
}

static size_t filter(const pixels *picture, int kind) {
    size_t row = (size_t)picture->width * 4, count = (row + 1) * (size_t)picture->height;
    if (!make_room(count)) return 0;
    for (int y = 0; y < picture->height; y++) {
        const uint8_t *from = picture->rgba + (size_t)y * row;
        uint8_t *to = filtered + (size_t)y * (row + 1);
        *to++ = (uint8_t)kind;
        if (kind == NO_FILTER || (kind == UP && y == 0)) memcpy(to, from, row);
        if (kind == SUB) {
            memcpy(to, from, 4);
            for (size_t i = 4; i < row; i++) to[i] = (uint8_t)(from[i] - from[i - 4]);
        }
        if (kind == UP && y > 0)
            for (size_t i = 0; i < row; i++) to[i] = (uint8_t)(from[i] - from[i - row]);
    }
    return count;
}

static size_t by_zlib(size_t count, int level, int strategy) {
    z_stream stream = {0};
    if (deflateInit2(&stream, level, Z_DEFLATED, 15, 8, strategy) != Z_OK) return 0;
    stream.next_in = filtered;
    stream.avail_in = (uInt)count;
    stream.next_out = packed;
    stream.avail_out = (uInt)(room * 2);
    size_t length = deflate(&stream, Z_FINISH) == Z_STREAM_END ? stream.total_out : 0;
    deflateEnd(&stream);
    return length;
}

static size_t by_libdeflate(size_t count, int level) {
    static void *compressors[13], *library;
    static void *(*make)(int);
    static size_t (*compress)(void *, const void *, size_t, void *, size_t);
    if (!library && (library = dlopen("libdeflate.so.0", RTLD_NOW))) {
        *(void **)&make = dlsym(library, "libdeflate_alloc_compressor");
        *(void **)&compress = dlsym(library, "libdeflate_zlib_compress");
    }
    if (!make || !compress) return 0;
    if (!compressors[level]) compressors[level] = make(level);
    return compressors[level] ? compress(compressors[level], filtered, count, packed, room * 2) : 0;
}

static size_t by_isal(size_t count, int level) {
    static struct isal_zstream stream;
    static uint8_t tables[ISAL_DEF_LVL3_DEFAULT];
    static const uint32_t sizes[] = {
        ISAL_DEF_LVL0_DEFAULT, ISAL_DEF_LVL1_DEFAULT, ISAL_DEF_LVL2_DEFAULT, ISAL_DEF_LVL3_DEFAULT};
    isal_deflate_stateless_init(&stream);
    stream.level = (uint32_t)level;
    stream.level_buf = tables;
    stream.level_buf_size = sizes[level];
    stream.gzip_flag = IGZIP_ZLIB;
    stream.end_of_stream = 1;
    stream.next_in = filtered;
    stream.avail_in = (uint32_t)count;
    stream.next_out = packed;
    stream.avail_out = (uint32_t)(room * 2);
    return isal_deflate_stateless(&stream) == COMP_OK ? stream.total_out : 0;
}

static int compress_filtered(const way *way, const pixels *picture, double *figure) {
    size_t count = filter(picture, way->filter), length = 0;
    if (!count) return 0;
    switch (way->kind) {
    case ZLIB: length = by_zlib(count, way->level, Z_DEFAULT_STRATEGY); break;
    case ZLIB_RUNS: length = by_zlib(count, way->level, Z_RLE); break;
    case LIBDEFLATE: length = by_libdeflate(count, way->level); break;
    case ISAL: length = by_isal(count, way->level); break;
    }
    *figure = (double)length;
    return length > 0;
}

static void count_bytes(png_structp png, png_bytep bytes, size_t count) {
    (void)bytes;
    *(double *)png_get_io_ptr(png) += (double)count;
}

static void flush_nothing(png_structp png) { (void)png; }

/* A level below 0 leaves libpng's own level and choice of filters. */
static int by_libpng(const way *way, const pixels *picture, double *figure) {
    png_structp png = png_create_write_struct(PNG_LIBPNG_VER_STRING, NULL, NULL, NULL);
    png_infop info = png ? png_create_info_struct(png) : NULL;
    if (!info || setjmp(png_jmpbuf(png))) {
        png_destroy_write_struct(&png, &info);
        return 0;
    }
    *figure = 0;
    png_set_write_fn(png, figure, count_bytes, flush_nothing);
    png_set_IHDR(
        png, info, (png_uint_32)picture->width, (png_uint_32)picture->height, 8, PNG_COLOR_TYPE_RGBA,
        PNG_INTERLACE_NONE, PNG_COMPRESSION_TYPE_DEFAULT, PNG_FILTER_TYPE_DEFAULT);
    if (way->level >= 0) {
        png_set_compression_level(png, way->level);
        png_set_filter(png, PNG_FILTER_TYPE_BASE, PNG_FILTER_SUB);
    }
    png_write_info(png, info);
    for (int y = 0; y < picture->height; y++)
        png_write_row(png, picture->rgba + (size_t)y * (size_t)picture->width * 4);
    png_write_end(png, NULL);
    png_destroy_write_struct(&png, &info);
    return 1;
}

static int by_vitrine(const way *way, const pixels *picture, double *figure) {
    (void)way;
    size_t length = 0;
    if (!make_room(((size_t)picture->width * 4 + 1) * (size_t)picture->height)) return 0;
    int done = cpicture_png_encode(picture->rgba, picture->width, picture->height, packed, room * 2, &length)
        == CPICTURE_DONE;
    *figure = (double)length;
    return done;
}

const way packing_pngs[] = {
    {"libpng, as it comes", by_libpng, 0, -1, 0},
    {"libpng, level 1, Sub", by_libpng, 0, 1, SUB},
    {"zlib 1, Sub", compress_filtered, ZLIB, 1, SUB},
    {"zlib 1, Up", compress_filtered, ZLIB, 1, UP},
    {"zlib, runs only, Sub", compress_filtered, ZLIB_RUNS, 1, SUB},
    {"libdeflate 1, no filter", compress_filtered, LIBDEFLATE, 1, NO_FILTER},
    {"libdeflate 1, Sub", compress_filtered, LIBDEFLATE, 1, SUB},
    {"libdeflate 6, Sub", compress_filtered, LIBDEFLATE, 6, SUB},
    {"ISA-L 0, Sub", compress_filtered, ISAL, 0, SUB},
    {"ISA-L 1, no filter", compress_filtered, ISAL, 1, NO_FILTER},
    {"ISA-L 1, Sub", compress_filtered, ISAL, 1, SUB},
    {"ISA-L 1, Up", compress_filtered, ISAL, 1, UP},
    {"ISA-L 2, Sub", compress_filtered, ISAL, 2, SUB},
    {"ISA-L 3, Sub", compress_filtered, ISAL, 3, SUB},
    {"Vitrine", by_vitrine, 0, 0, 0},
    {NULL, NULL, 0, 0, 0},
};

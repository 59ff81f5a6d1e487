/* Draws with everything of the project's own C that computes pixels, and prints what came out of each part as one number, so
 * that what another kind of machine makes of the same pictures can be compared with it: scripts/check-aarch64 does. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../Plugins/Renderers/Image/CHEIF/planes.h"
#include "../../Plugins/Renderers/Image/CImageCodecs/shim.h"
#include "../../Plugins/Renderers/Image/CTIFF/wide.h"
#include "../../Sources/CEncoders/include/CEncoders.h"
#include "../../Sources/CPicture/include/CPicture.h"
#include "../../Sources/CPlatform/include/vp_hash.h"

enum { LARGEST_SIDE = 700 };

/* MARK: Numbers by chance, the same ones every time (xorshift64, G. Marsaglia, 2003) */

static uint64_t state = 88172645463325252;

static uint32_t chance(uint32_t below) {
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return (uint32_t)(state >> 20) % below;
}

static void fill_by_chance(uint8_t *bytes, size_t count) {
    for (size_t i = 0; i < count; i++) bytes[i] = (uint8_t)chance(256);
}

/* MARK: Telling */

static void stop(const char *what) {
    fprintf(stderr, "pictures: %s\n", what);
    exit(1);
}

static void tell(const char *part, int number, const void *bytes, size_t count) {
    printf("%s %d %016llx\n", part, number, (unsigned long long)vp_hash64(bytes, count));
}

static uint8_t *room_for(size_t bytes) {
    uint8_t *room = calloc(bytes ? bytes : 1, 1);
    if (!room) stop("there is no memory");
    return room;
}

/* MARK: Pictures */

/* Noise, slopes, lines, or one colour: opaque, with some alpha, or with alpha everywhere. */
static void draw(uint8_t *rows, size_t stride, int width, int height, cpicture_pixel_format format) {
    uint32_t kind = chance(4), transparency = chance(3);
    uint8_t colour[4];
    fill_by_chance(colour, sizeof colour);
    for (int y = 0; y < height; y++)
        for (int x = 0; x < width; x++) {
            uint8_t *pixel = rows + (size_t)y * stride + (size_t)x * 4;
            for (int c = 0; c < 3; c++)
                pixel[c] = kind == 0 ? (uint8_t)chance(256)
                    : kind == 1      ? (uint8_t)((x * (c + 1) + y) * 255 / (4 * (width + height)))
                    : kind == 2      ? (uint8_t)((x / (c + 1) + y) % 7 < 3 ? 255 : 0)
                                     : colour[c];
            pixel[3] = transparency == 0 ? 255 : transparency == 1 && chance(4) ? 255 : (uint8_t)chance(256);
            /* Colours that were multiplied are none above their alpha. */
            if (format == CPICTURE_BGRA_PREMULTIPLIED)
                for (int c = 0; c < 3; c++) pixel[c] = (uint8_t)(pixel[c] * pixel[3] / 255);
        }
}

static void try_scaling(int number) {
    int width = 1 + (int)chance(LARGEST_SIDE), height = 1 + (int)chance(LARGEST_SIDE);
    size_t stride = (size_t)width * 4 + chance(3) * 4;
    cpicture_pixel_format format = (cpicture_pixel_format)chance(4);
    uint8_t *rows = room_for(stride * (size_t)height);
    draw(rows, stride, width, height, format);
    int to_width = 1 + (int)chance((uint32_t)width), to_height = 1 + (int)chance((uint32_t)height);
    uint8_t *rgba = room_for((size_t)to_width * (size_t)to_height * 4);
    cpicture_source source = {rows, stride, width, height, format};
    if (cpicture_scale(&source, to_width, to_height, rgba)) stop("a picture cannot be scaled");
    tell("scaled", number, rgba, (size_t)to_width * (size_t)to_height * 4);
    free(rows);
    free(rgba);
}

static void try_finishing(int number) {
    int width = 1 + (int)chance(100), height = 1 + (int)chance(100);
    size_t pixels = (size_t)width * (size_t)height;
    uint8_t *rgba = room_for(pixels * 4), *canvas = room_for(pixels * 4), hash[CPICTURE_THUMBHASH_MAX] = {0};
    draw(rgba, (size_t)width * 4, width, height, CPICTURE_RGBA);
    int32_t found[6] = {cpicture_is_plain(rgba, pixels, (int)chance(64)), (int32_t)cpicture_thumbhash(rgba, width, height, hash)};
    for (int i = 0; i < 4; i++) {
        int is_wide = i & 1, lines = is_wide ? width : height;
        found[2 + i] = cpicture_best_part(rgba, width, height, is_wide, 1 + (int)chance((uint32_t)lines), i >> 1);
    }
    tell("found", number, found, sizeof found);
    tell("thumbhash", number, hash, sizeof hash);
    draw(canvas, (size_t)width * 4, width, height, CPICTURE_RGBX);
    cpicture_flatten(canvas, pixels, 1, 128, 255);
    cpicture_lay_over(canvas, width, height, (int)chance(40) - 20, (int)chance(40) - 20, rgba, width, height);
    cpicture_fill(canvas, width, height, (int)chance(40) - 20, (int)chance(40) - 20, 30, 30, rgba);
    cpicture_write_label(canvas, width, height, width / 2.0, 3, 5 + chance(30), "0123:4.5-6+789\xC3\xA4", rgba);
    tell("composed", number, canvas, pixels * 4);
    free(rgba);
    free(canvas);
}

/* What is packed differs between machines, since ISA-L does; what is unpacked must not. */
static void try_png(int number) {
    int width = 1 + (int)chance(300), height = 1 + (int)chance(300), read_width, read_height;
    size_t bytes = (size_t)width * (size_t)height * 4, room = bytes * 2 + 4096, length;
    uint8_t *rgba = room_for(bytes), *png = room_for(room), *read;
    draw(rgba, (size_t)width * 4, width, height, CPICTURE_RGBA);
    if (cpicture_png_encode(rgba, width, height, png, room, &length)) stop("a PNG cannot be written");
    if (cpicture_png_decode(png, length, bytes, &read_width, &read_height, &read)) stop("a PNG cannot be read");
    if (read_width != width || read_height != height || memcmp(read, rgba, bytes)) stop("a PNG is read as another picture");
    vi_unpacker *unpacker = vi_make_unpacker();
    vi_png *file = unpacker ? vi_png_open(png, length, 1000, 1 << 20, unpacker, NULL) : NULL;
    if (!file) stop("a PNG cannot be opened");
    for (int y = 0; y < height; y++)
        if (!vi_png_row(file, read) || memcmp(read, rgba + (size_t)y * (size_t)width * 4, (size_t)width * 4))
            stop("a PNG has other rows");
    tell("png", number, rgba, bytes);
    vi_png_close(file);
    free(unpacker);
    free(read);
    free(png);
    free(rgba);
}

/* MARK: What plugins compute */

static void try_blocks(int number) {
    uint8_t block[16], written[0x3C01], pixels[VI_EAC_TWO_SIGNED + 1][64];
    for (int half = 0; half <= 0x3C00; half++) written[half] = (uint8_t)(half >> 6);
    fill_by_chance(block, sizeof block);
    /* Each of the eight modes of BC7 as often as the others. */
    if (number % 4) block[0] = (uint8_t)((block[0] | 1) << number % 8);
    for (int kind = VI_BC1; kind <= VI_EAC_TWO_SIGNED; kind++) {
        memset(pixels[kind], 0, sizeof pixels[kind]);
        vi_decode((vi_kind)kind, block, written, pixels[kind]);
    }
    tell("block", number, pixels, sizeof pixels);
}

static void try_averaging(int number) {
    int width = 1 + (int)chance(200), height = 1 + (int)chance(200), side = 1 + (int)chance(9);
    cheif_plane plane = {NULL, 0, (int)chance(2), (int)chance(2)};
    plane.stride = (size_t)width + chance(16);
    uint8_t *rows = room_for(plane.stride * (size_t)height);
    fill_by_chance(rows, plane.stride * (size_t)height);
    plane.rows = rows;
    size_t columns = (size_t)((width + side - 1) / side), lines = (size_t)((height + side - 1) / side);
    uint8_t *to = room_for(columns * lines);
    if (!cheif_average(&plane, width, height, side, to, columns)) stop("a plane cannot be averaged");
    tell("averaged", number, to, columns * lines);
    free(rows);
    free(to);
}

static void try_samples(int number) {
    static const int widths[] = {16, 32, 64};
    ctiff_format format = (ctiff_format)chance(3);
    int bits = widths[chance(3)];
    uint8_t samples[800], steps[100], alphas[100];
    fill_by_chance(samples, sizeof samples);
    ctiff_range range = {.nothing = NAN};
    for (int i = 0; i < 100; i++) ctiff_range_add(&range, ctiff_sample(samples + 8 * i, format, bits), (i % 5) / 4.0);
    if (!ctiff_range_close(&range, format, (int)chance(2), 0)) stop("there is no memory");
    for (int i = 0; i < 100; i++) {
        double value = ctiff_sample(samples + 8 * i, format, bits);
        steps[i] = ctiff_range_step(&range, ctiff_rounded(value, format, bits));
        alphas[i] = (uint8_t)(ctiff_wide_alpha(value, format, bits) * 255 + 0.5);
    }
    tell("sampled", number, steps, sizeof steps);
    tell("alpha", number, alphas, sizeof alphas);
    free(range.light);
}

/* Other versions of the same libraries pack otherwise: what counts is that they do. */
static void try_encoders(void) {
    static uint8_t rgba[3 * 64 * 48 * 4], memory[1 << 20];
    size_t length;
    draw(rgba, 64 * 4, 64, 3 * 48, CPICTURE_RGBA);
    for (int format = CENCODERS_JPEG; format <= CENCODERS_AVIF; format++)
        if (cencoders_encode_v1(format, rgba, 64, 48, 80, memory, sizeof memory, &length) || length == 0)
            stop("a picture cannot be encoded");
    if (cencoders_encode_loop_v1(rgba, 3, 64, 48, 80, 100, memory, sizeof memory, &length) || memcmp(memory + 8, "WEBP", 4))
        stop("a loop cannot be encoded");
}

int main(int count, char **arguments) {
    int rounds = count > 1 ? atoi(arguments[1]) : 100;
    for (int i = 0; i < rounds; i++) try_scaling(i);
    for (int i = 0; i < rounds; i++) try_finishing(i);
    for (int i = 0; i < rounds; i++) try_png(i);
    for (int i = 0; i < rounds; i++) try_blocks(i);
    for (int i = 0; i < rounds; i++) try_averaging(i);
    for (int i = 0; i < rounds; i++) try_samples(i);
    try_encoders();
    return 0;
}

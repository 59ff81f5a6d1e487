/* Pictures of JPEG XR (ITU-T T.832), decoded with jxrlib out of memory. Only its codec is called: its reader of the container around
 * a picture asserts what files say. Nothing here opens a file, and what is used belongs to one thread. */
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What the numbers of a picture are. */
typedef enum {
    cjpegxr_byte,
    /* 16 bits as sRGB writes them. */
    cjpegxr_word,
    /* Light: 16 bits of which 8192 are white, 16 bits of IEEE 754, 32 bits of which 1 << 24 are white, and 32 bits of IEEE 754. */
    cjpegxr_fixed16,
    cjpegxr_half,
    cjpegxr_fixed32,
    cjpegxr_float,
    /* Light: red, green, blue as bytes, and the power of two of all three as a fourth. */
    cjpegxr_rgbe,
    cjpegxr_other
} cjpegxr_numbers;

/* What a picture says of itself. */
typedef struct {
    uint64_t width, height;
    cjpegxr_numbers numbers;
    /* Bytes of a number. */
    uint8_t size;
    /* There is one number for each pixel, and not three. */
    bool is_gray;
    /* Alpha lies among the colours; it may also be a picture of its own. */
    bool has_alpha;
} cjpegxr_head;

/* Reads the head of the picture that begins at an offset. Returns false for what is none. */
bool cjpegxr_read(const uint8_t *_Nonnull bytes, size_t count, size_t offset, cjpegxr_head *_Nonnull head);

/* How much smaller pictures can be decoded: half as wide and high each time. */
enum { cjpegxr_steps = 4 };

/* Decodes the picture of an offset, 1 << step times smaller, sides rounded up. Each pixel has four numbers of `size` bytes: red,
 * green, blue and alpha; of grey ones only the first is written, and alpha only where the picture has it.
 * alpha: the picture is the alpha of another one, and goes to the fourth number.
 * pixels: of at least 16 rows and 16 pixels more than are filled. Returns false for damage. */
bool cjpegxr_decode(
    const uint8_t *_Nonnull bytes, size_t count, size_t offset, int step, bool alpha, uint8_t *_Nonnull pixels,
    size_t stride);

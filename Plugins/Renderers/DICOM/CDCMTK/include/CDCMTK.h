#ifndef CDCMTK_H
#define CDCMTK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// DCMTK has no interface in C. Nothing here throws, and nothing is written to the standard streams.

#ifdef __cplusplus
extern "C" {
#endif

/// A file whose elements were read; larger values stay where they are until they are needed.
typedef struct cdcmtk_file cdcmtk_file;

/// A picture of it, decoded.
typedef struct cdcmtk_frame cdcmtk_frame;

/// Why something could not be had.
typedef enum {
    CDCMTK_DAMAGED,
    CDCMTK_UNSUPPORTED,
    CDCMTK_NO_MEMORY,
    /// Sequences lie too deep in one another.
    CDCMTK_TOO_DEEP,
    /// It unpacks to more than 512 MiB.
    CDCMTK_TOO_LARGE,
} cdcmtk_failure;

/// Registers decoders and reads the dictionary of elements, once in a process. Returns whether the dictionary is there.
bool cdcmtk_start(void);

/// Reads a file. bytes: not copied; they must outlive what is returned. Returns NULL when it cannot be read, with DCMTK's words,
/// which hold nothing of the file, in `reason`, a text of less than `room` bytes that may be empty; else to be freed with
/// cdcmtk_close.
cdcmtk_file *cdcmtk_open(const void *bytes, size_t count, cdcmtk_failure *failure, char *reason, size_t room);

/// Frees a file.
void cdcmtk_close(cdcmtk_file *file);

/// The first value of an element as text, as it is in the file. Returns false when there is none, or it has `room` bytes or more.
bool cdcmtk_text(cdcmtk_file *file, uint16_t group, uint16_t element, char *text, size_t room);

/// The first value of an element as a number. Returns false when there is none.
bool cdcmtk_number(cdcmtk_file *file, uint16_t group, uint16_t element, int64_t *number);

/// Whether an element is there, be it empty.
bool cdcmtk_has(cdcmtk_file *file, uint16_t group, uint16_t element);

/// The name that the dictionary gives to a unique identifier of the standard, or NULL.
const char *cdcmtk_name(const char *identifier);

/// How many bytes the pixels have where they are not compressed, else 0; and how many pieces they are in where they are, without
/// the table of their places, else 0.
void cdcmtk_pixels(cdcmtk_file *file, uint64_t *bytes, uint32_t *fragments);

/// The colour profile of the file, or NULL. Valid as long as the file is.
const uint8_t *cdcmtk_profile(cdcmtk_file *file, size_t *count);

/// Decodes one frame, counted from 0. Returns NULL when it cannot be decoded, with a reason as cdcmtk_open has it; else to be
/// freed with cdcmtk_frame_free before the file is closed.
cdcmtk_frame *cdcmtk_frame_open(cdcmtk_file *file, uint32_t number, cdcmtk_failure *failure, char *reason, size_t room);

/// Frees a frame.
void cdcmtk_frame_free(cdcmtk_frame *frame);

/// How much wider than high a pixel is: 1 for square ones, and where nothing is said.
double cdcmtk_frame_ratio(const cdcmtk_frame *frame);

/// Whether it has shades of grey only.
bool cdcmtk_frame_is_grey(const cdcmtk_frame *frame);

/// Draws a frame as red, green, blue and an unused byte a pixel, at a size that may differ from its own in one direction. Shades
/// are those of the file's own table or window (VOI), else from the darkest to the brightest; overlays are left out. rows: of
/// `bytes_per_row` each, `height` of them. Returns false when it cannot be drawn.
bool cdcmtk_frame_draw(
    cdcmtk_frame *frame, uint32_t width, uint32_t height, uint8_t *rows, size_t bytes_per_row, cdcmtk_failure *failure);

#ifdef __cplusplus
}
#endif

#endif

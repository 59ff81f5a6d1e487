#pragma once
#include <libde265/de265.h>
#include <libheif/heif.h>
#include <libheif/heif_plugin.h>
#include <malloc.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "planes.h"

/* A decoder of HEVC for libheif that is libde265, as libheif's own, without the two filters that smooth the edges of
 * blocks: a quarter of the time, for what is not seen when a picture is made three times smaller. It is used where its
 * name is given in `decoder_id`; its priority is the least. */
#define CHEIF_COARSE_NAME "vitrine-coarse"

static inline struct heif_error cheif_answer(enum heif_error_code code) {
    return (struct heif_error){
        code, heif_suberror_Unspecified, code == heif_error_Ok ? "done" : "libde265 does not decode this"};
}
static inline const char *cheif_title(void) { return "libde265 without its filters"; }
static inline int cheif_priority(enum heif_compression_format format) {
    return format == heif_compression_HEVC ? 1 : 0;
}
static inline void cheif_be_strict(void *decoder, int flag) { (void)decoder, (void)flag; }
static inline void cheif_close(void *decoder) { de265_free_decoder(decoder); }

static inline struct heif_error cheif_open(void **decoder) {
    *decoder = de265_new_decoder();
    if (!*decoder) return cheif_answer(heif_error_Memory_allocation_error);
    de265_set_parameter_bool(*decoder, DE265_DECODER_PARAM_DISABLE_DEBLOCKING, 1);
    de265_set_parameter_bool(*decoder, DE265_DECODER_PARAM_DISABLE_SAO, 1);
    return cheif_answer(heif_error_Ok);
}

/* Units, each behind its length in four bytes (ISO/IEC 14496-15, 4.3.3). */
static inline struct heif_error cheif_push(void *decoder, const void *data, size_t count) {
    const uint8_t *bytes = data;
    while (count > 0) {
        if (count < 4) return cheif_answer(heif_error_Decoder_plugin_error);
        size_t length = (size_t)bytes[0] << 24 | (size_t)bytes[1] << 16 | (size_t)bytes[2] << 8 | bytes[3];
        bytes += 4, count -= 4;
        if (length > count || length > INT32_MAX) return cheif_answer(heif_error_Decoder_plugin_error);
        if (de265_push_NAL(decoder, bytes, (int)length, 0, NULL) != DE265_OK)
            return cheif_answer(heif_error_Decoder_plugin_error);
        bytes += length, count -= length;
    }
    return cheif_answer(heif_error_Ok);
}

/* What pictures of one size are made smaller by, while cheif_decode_reduced() decodes one. */
typedef struct cheif_reduction {
    int width, height;
    int side; /* pixels along a block that becomes one; 1 for nothing */
    int is_done;
} cheif_reduction;
static __thread cheif_reduction cheif_wanted = {0, 0, 1, 0};

static inline int cheif_side(const struct de265_image *from) {
    int is_meant = de265_get_image_width(from, 0) == cheif_wanted.width && de265_get_image_height(from, 0) == cheif_wanted.height;
    for (int plane = 0; plane < (de265_get_chroma_format(from) == de265_chroma_mono ? 1 : 3); plane++)
        is_meant = is_meant && de265_get_bits_per_pixel(from, plane) == 8;
    return is_meant ? cheif_wanted.side : 1;
}

/* One plane, averaged: all have the size of the first one then. */
static inline int cheif_reduce_plane(
    const struct de265_image *from, int plane, int side, struct heif_image *to, enum heif_channel channel) {
    int width = de265_get_image_width(from, 0), height = de265_get_image_height(from, 0), stride, to_stride;
    enum de265_chroma layout = plane == 0 ? de265_chroma_444 : de265_get_chroma_format(from);
    cheif_plane source = {
        .rows = de265_get_image_plane(from, plane, &stride), .shift_x = layout != de265_chroma_444,
        .shift_y = layout == de265_chroma_420};
    int columns = (width + side - 1) / side, lines = (height + side - 1) / side;
    source.stride = (size_t)stride;
    if (!source.rows || de265_get_image_width(from, plane) < (width + source.shift_x) >> source.shift_x
        || de265_get_image_height(from, plane) < (height + source.shift_y) >> source.shift_y)
        return 0;
    if (heif_image_add_plane(to, channel, columns, lines, 8).code != heif_error_Ok) return 0;
    uint8_t *target = heif_image_get_plane(to, channel, &to_stride);
    return target && to_stride >= columns && cheif_average(&source, width, height, side, target, (size_t)to_stride);
}

/* One plane, copied: libde265 keeps its own. */
static inline int cheif_copy_plane(
    const struct de265_image *from, int plane, int side, struct heif_image *to, enum heif_channel channel) {
    if (side > 1) return cheif_reduce_plane(from, plane, side, to, channel);
    int width = de265_get_image_width(from, plane), height = de265_get_image_height(from, plane);
    int bits = de265_get_bits_per_pixel(from, plane), from_stride, to_stride;
    const uint8_t *rows = de265_get_image_plane(from, plane, &from_stride);
    if (!rows || width < 1 || height < 1 || bits < 8 || bits > 16) return 0;
    if (heif_image_add_plane(to, channel, width, height, bits).code != heif_error_Ok) return 0;
    uint8_t *target = heif_image_get_plane(to, channel, &to_stride);
    size_t row = (size_t)width * (bits > 8 ? 2 : 1);
    if (!target || (size_t)from_stride < row || (size_t)to_stride < row) return 0;
    for (int y = 0; y < height; y++)
        memcpy(target + (size_t)y * (size_t)to_stride, rows + (size_t)y * (size_t)from_stride, row);
    return 1;
}

/* What the stream says of its colours; libheif prefers what the file says. */
static inline int cheif_tell_colours(const struct de265_image *from, struct heif_image *to) {
    struct heif_color_profile_nclx *colours = heif_nclx_color_profile_alloc();
    if (!colours) return 0;
    heif_nclx_color_profile_set_color_primaries(colours, (uint16_t)de265_get_image_colour_primaries(from));
    heif_nclx_color_profile_set_transfer_characteristics(
        colours, (uint16_t)de265_get_image_transfer_characteristics(from));
    heif_nclx_color_profile_set_matrix_coefficients(colours, (uint16_t)de265_get_image_matrix_coefficients(from));
    colours->full_range_flag = de265_get_image_full_range_flag(from) != 0;
    int told = heif_image_set_nclx_color_profile(to, colours).code == heif_error_Ok;
    heif_nclx_color_profile_free(colours);
    return told;
}

static inline int cheif_copy(const struct de265_image *from, struct heif_image **to) {
    enum heif_chroma chroma = heif_chroma_monochrome;
    switch (de265_get_chroma_format(from)) {
    case de265_chroma_420: chroma = heif_chroma_420; break;
    case de265_chroma_422: chroma = heif_chroma_422; break;
    case de265_chroma_444: chroma = heif_chroma_444; break;
    default: break;
    }
    int is_grey = chroma == heif_chroma_monochrome, side = cheif_side(from);
    if (side > 1 && !is_grey) chroma = heif_chroma_444;
    if (side > 1) cheif_wanted.is_done = 1;
    if (heif_image_create(
            (de265_get_image_width(from, 0) + side - 1) / side, (de265_get_image_height(from, 0) + side - 1) / side,
            is_grey ? heif_colorspace_monochrome : heif_colorspace_YCbCr, chroma, to).code != heif_error_Ok)
        return 0;
    if (cheif_copy_plane(from, 0, side, *to, heif_channel_Y)
        && (is_grey
            || (cheif_copy_plane(from, 1, side, *to, heif_channel_Cb)
                && cheif_copy_plane(from, 2, side, *to, heif_channel_Cr)))
        && cheif_tell_colours(from, *to))
        return 1;
    heif_image_release(*to);
    *to = NULL;
    return 0;
}

static inline struct heif_error cheif_decode(void *decoder, struct heif_image **image) {
    *image = NULL;
    de265_flush_data(decoder);
    for (int more = 1; more;) {
        more = 0;
        if (de265_decode(decoder, &more) != DE265_OK) break;
        const struct de265_image *picture = de265_get_next_picture(decoder);
        if (picture) return cheif_answer(cheif_copy(picture, image) ? heif_error_Ok : heif_error_Decoder_plugin_error);
    }
    return cheif_answer(heif_error_Decoder_plugin_error);
}

/* Makes the decoder known to libheif, for the rest of the process. */
static inline int cheif_add_coarse_decoder(void) {
    static const struct heif_decoder_plugin decoder = {
        .plugin_api_version = 3,
        .get_plugin_name = cheif_title,
        .does_support_format = cheif_priority,
        .new_decoder = cheif_open,
        .free_decoder = cheif_close,
        .push_data = cheif_push,
        .decode_image = cheif_decode,
        .set_strict_decoding = cheif_be_strict,
        .id_name = CHEIF_COARSE_NAME,
    };
    return heif_register_decoder_plugin(&decoder).code == heif_error_Ok;
}

/* Options that ask for it; to be freed by heif_decoding_options_free. Other formats than HEVC are decoded as always. */
static inline struct heif_decoding_options *cheif_coarse_options(void) {
    struct heif_decoding_options *options = heif_decoding_options_alloc();
    if (options && options->version >= 4) options->decoder_id = CHEIF_COARSE_NAME;
    return options;
}

static inline struct heif_error cheif_decode_to_rgba(
    const struct heif_image_handle *handle, struct heif_image **image, const struct heif_decoding_options *options) {
    return heif_decode_image(handle, image, heif_colorspace_RGB, heif_chroma_interleaved_RGBA, options);
}

/* Has the C library fill with zeros what it hands out, or no more; but for blocks of less than about a kilobyte, which a plane of
 * libheif's is not. What is given back meanwhile is filled with ones. */
static inline void cheif_clear_memory(int clear) { mallopt(M_PERTURB, clear ? 0xFF : 0); }

/* The first place of four letters in some bytes; NULL when there is none. */
static inline const uint8_t *cheif_find(const uint8_t *at, const uint8_t *end, const char *letters) {
    while (end - at >= 4 && (at = memchr(at, letters[0], (size_t)(end - at) - 3))) {
        if (memcmp(at, letters, 4) == 0) return at;
        at++;
    }
    return NULL;
}

/* Whether four letters stand somewhere in some bytes. */
static inline int cheif_holds(const void *bytes, size_t count, const char *letters) {
    return cheif_find(bytes, (const uint8_t *)bytes + count, letters) != NULL;
}

/* Whether a picture of the file is laid together of others at any place (ISO/IEC 23008-12, 6.6.2.2): an item whose entry
 * (ISO/IEC 14496-12, 8.11.6: `infe`, of version 2 or 3, with its size in four bytes or in eight more) names that type. */
static inline int cheif_has_overlay(const void *bytes, size_t count) {
    static const ptrdiff_t heads[] = {12, 14, 20, 22};
    const uint8_t *start = bytes, *end = start + count;
    for (const uint8_t *at = start; (at = cheif_find(at, end, "iovl")); at++) {
        for (size_t i = 0; i < sizeof heads / sizeof *heads; i++) {
            if (at - start >= heads[i] && memcmp(at - heads[i], "infe", 4) == 0) return 1;
        }
    }
    return 0;
}

/* How many quarters the pictures of the file are turned, against the clock (ISO/IEC 23008-12, 6.5.10: `irot`); -1 when that is not
 * the same for all of them, or when there is a mirror, too. libheif does not tell. */
static inline int cheif_turns(const void *bytes, size_t count) {
    static const uint8_t length[] = {0, 0, 0, 9};
    const uint8_t *start = bytes, *end = start + count;
    int turns = 0, is_first = 1;
    for (const uint8_t *at = start; (at = cheif_find(at, end, "irot")); at++) {
        if (at - start < 4 || end - at < 5 || memcmp(at - 4, length, 4) != 0) continue;
        if (!is_first && turns != (at[4] & 3)) return -1;
        turns = at[4] & 3, is_first = 0;
    }
    for (const uint8_t *at = start; (at = cheif_find(at, end, "imir")); at++)
        if (at - start >= 4 && memcmp(at - 4, length, 4) == 0) return -1;
    return turns;
}

/* Decodes with those options a picture that is stored as large as it is shown, and has its blocks of `side` x `side` pixels
 * averaged before libheif makes RGB of them, which takes as long as for all of their pixels otherwise. What is put together of
 * several pictures, and what libde265 does not decode, comes in full. Not for pictures that are cropped: what is cut off is told
 * in their own pixels. Tells in `is_reduced` which of both came. */
static inline struct heif_error cheif_decode_reduced(
    const struct heif_image_handle *handle, struct heif_image **image, int side,
    const struct heif_decoding_options *options, int *is_reduced) {
    *is_reduced = 0;
    int width = heif_image_handle_get_ispe_width(handle), height = heif_image_handle_get_ispe_height(handle);
    int shown_width = heif_image_handle_get_width(handle), shown_height = heif_image_handle_get_height(handle);
    /* Turned by a quarter it is as large. */
    int is_whole = (width == shown_width && height == shown_height) || (width == shown_height && height == shown_width);
    if (side <= 1 || !is_whole || !options) return cheif_decode_to_rgba(handle, image, options);
    cheif_wanted = (cheif_reduction){width, height, side, 0};
    struct heif_error error = cheif_decode_to_rgba(handle, image, options);
    cheif_wanted.side = 1;
    if (!cheif_wanted.is_done) return error;
    if (error.code == heif_error_Ok) {
        *is_reduced = heif_image_get_width(*image, heif_channel_interleaved) == (shown_width + side - 1) / side
            && heif_image_get_height(*image, heif_channel_interleaved) == (shown_height + side - 1) / side;
        if (*is_reduced) return error;
        /* A part of something larger was taken for the whole. */
        heif_image_release(*image);
    }
    /* What is put together of parts may have failed for that reason, too. */
    *image = NULL;
    return cheif_decode_to_rgba(handle, image, options);
}

#pragma once
/* LibreOfficeKit is headers only: they load the library of an installed LibreOffice with dlopen. */
#define LOK_USE_UNSTABLE_API 1
#include <malloc.h>
#include <stdlib.h>
#include <string.h>
#include <png.h>
#include <turbojpeg.h>
#include <zlib.h>
#include <LibreOfficeKit/LibreOfficeKit.h>
#include <LibreOfficeKit/LibreOfficeKitInit.h>

/* LibreOfficeKitDocumentType of LibreOfficeKitEnums.h, which only a C++ compiler reads. */
enum coffice_document_type {
    coffice_text = 0, coffice_spreadsheet = 1, coffice_presentation = 2, coffice_drawing = 3
};

/* LOK_FEATURE_DOCUMENT_PASSWORD and LOK_CALLBACK_DOCUMENT_PASSWORD of the same header. */
static const unsigned long long coffice_asks_for_passwords = 1;
static const int coffice_password_wanted = 20;

/* Makes all threads share one heap: what one document leaves free serves the next, whichever thread reads it. */
static inline void coffice_share_heap(void) { mallopt(M_ARENA_MAX, 1); }

/* PNG_FORMAT_RGBA, which Swift does not import. */
static const png_uint_32 coffice_png_rgba = PNG_FORMAT_RGBA;

/* Unpacks a file of a zip archive (RFC 1951) of a known size. 0 when it is whole and has that size. */
static inline int coffice_inflate(const void *packed, unsigned packed_size, void *bytes, unsigned size) {
    z_stream stream;
    memset(&stream, 0, sizeof stream);
    if (inflateInit2(&stream, -MAX_WBITS) != Z_OK) { return -1; }
    stream.next_in = (Bytef *)packed;
    stream.avail_in = packed_size;
    stream.next_out = (Bytef *)bytes;
    stream.avail_out = size;
    int result = inflate(&stream, Z_FINISH);
    inflateEnd(&stream);
    return result == Z_STREAM_END && stream.avail_out == 0 ? 0 : -1;
}

#pragma once
/* What of libexif Swift cannot import, and a way to its directories, which it would see as a tuple. */
#include <libexif/exif-data.h>
#include <libexif/exif-utils.h>
#include <stdlib.h>

/* Reads a block that begins with "Exif\0\0", as it is: nothing is mended or made up. */
static inline ExifData *cexif_read(const unsigned char *bytes, unsigned size) {
    ExifData *data = exif_data_new();
    if (!data) return NULL;
    exif_data_unset_option(data, EXIF_DATA_OPTION_FOLLOW_SPECIFICATION);
    exif_data_set_option(data, EXIF_DATA_OPTION_IGNORE_UNKNOWN_TAGS);
    exif_data_set_option(data, EXIF_DATA_OPTION_DONT_CHANGE_MAKER_NOTE);
    exif_data_load_data(data, bytes, size);
    return data;
}

static inline ExifEntry *cexif_entry(ExifData *data, ExifIfd directory, unsigned tag) {
    return directory < EXIF_IFD_COUNT ? exif_content_get_entry(data->ifd[directory], (ExifTag)tag) : NULL;
}

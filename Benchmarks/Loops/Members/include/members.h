/* Files in archives, by libarchive, for the loops over those. */
#pragma once
#include <archive.h>
#include <stddef.h>
#include <stdint.h>

/* Opens an archive of any format. Returns NULL when it cannot; archive_read_free ends it. */
struct archive *loop_open_archive(const char *path);

/* The longest file that is unpacked. */
#define LOOP_LONGEST_MEMBER ((size_t)96 << 20)

/* Unpacks the member that was come to last; the caller frees it. Returns NULL when it cannot. */
uint8_t *loop_unpack(struct archive *archive, size_t *count);

/* Unpacks the first member with this name. Returns NULL when there is none. */
uint8_t *loop_member(const char *path, const char *name, size_t *count);

/* Whether a name ends as those of JPEG and PNG pictures do. */
int loop_is_picture(const char *name);

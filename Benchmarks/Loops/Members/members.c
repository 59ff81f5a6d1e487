#include "members.h"
#include <archive_entry.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

struct archive *loop_open_archive(const char *path) {
    struct archive *archive = archive_read_new();
    if (!archive) return NULL;
    archive_read_support_format_all(archive);
    archive_read_support_filter_all(archive);
    if (archive_read_open_filename(archive, path, 64 << 10) == ARCHIVE_OK) return archive;
    archive_read_free(archive);
    return NULL;
}

uint8_t *loop_unpack(struct archive *archive, size_t *count) {
    size_t room = 64 << 10;
    uint8_t *bytes = malloc(room);
    *count = 0;
    while (bytes) {
        la_ssize_t read = archive_read_data(archive, bytes + *count, room - *count);
        if (read == 0) return bytes;
        if (read < 0 || room > LOOP_LONGEST_MEMBER) break;
        *count += (size_t)read;
        if (*count < room) continue;
        uint8_t *grown = realloc(bytes, room *= 2);
        if (!grown) break;
        bytes = grown;
    }
    free(bytes);
    return NULL;
}

uint8_t *loop_member(const char *path, const char *name, size_t *count) {
    struct archive *archive = loop_open_archive(path);
    struct archive_entry *entry;
    uint8_t *bytes = NULL;
    while (archive && !bytes && archive_read_next_header(archive, &entry) == ARCHIVE_OK) {
        const char *found = archive_entry_pathname(entry);
        if (!found || strcmp(found, name) != 0) continue;
        bytes = loop_unpack(archive, count);
        break;
    }
    if (archive) archive_read_free(archive);
    return bytes;
}

int loop_is_picture(const char *name) {
    const char *dot = strrchr(name, '.');
    return dot && (!strcasecmp(dot, ".jpg") || !strcasecmp(dot, ".jpeg") || !strcasecmp(dot, ".png"));
}

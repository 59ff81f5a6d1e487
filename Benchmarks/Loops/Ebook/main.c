/* libarchive, libjpeg-turbo and libpng: the picture of an EPUB that is named cover, else its first. Whoever follows the
 * book's description, as Vitrine does, reads two files more. Other books, and those without a picture, are left out. */
#define _GNU_SOURCE
#include <archive_entry.h>
#include <loop.h>
#include <members.h>
#include <pictures.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

static int start(const char *scratch) {
    (void)scratch;
    return 1;
}

static int names_cover(const char *name) {
    for (; *name; name++) {
        if (!strncasecmp(name, "cover", 5)) return 1;
    }
    return 0;
}

/* The name of the picture to take, which the caller frees: one that names itself so, else the first. */
static char *cover(const char *path) {
    struct archive *archive = loop_open_archive(path);
    struct archive_entry *entry;
    char *found = NULL;
    while (archive && archive_read_next_header(archive, &entry) == ARCHIVE_OK) {
        const char *name = archive_entry_pathname(entry);
        if (!name || !loop_is_picture(name) || (found && !names_cover(name))) continue;
        free(found);
        found = strdup(name);
        if (names_cover(name)) break;
    }
    if (archive) archive_read_free(archive);
    return found;
}

static int render(const char *path, int box, loop_picture *picture) {
    char *name = cover(path);
    size_t count;
    uint8_t *bytes = name ? loop_member(path, name, &count) : NULL;
    int drawn = bytes && loop_decode(bytes, count, box, picture);
    free(bytes);
    free(name);
    return drawn;
}

int main(int argc, char **argv) {
    const loop library = {start, render};
    return loop_main(argc, argv, &library);
}

/* libarchive, libjpeg-turbo and libpng: the picture whose name comes first. */
#define _GNU_SOURCE
#include <archive_entry.h>
#include <loop.h>
#include <members.h>
#include <pictures.h>
#include <stdlib.h>
#include <string.h>

static int start(const char *scratch) {
    (void)scratch;
    return 1;
}

/* The first page's name, which the caller frees. */
static char *first_page(const char *path) {
    struct archive *archive = loop_open_archive(path);
    struct archive_entry *entry;
    char *first = NULL;
    while (archive && archive_read_next_header(archive, &entry) == ARCHIVE_OK) {
        const char *name = archive_entry_pathname(entry);
        if (!name || !loop_is_picture(name) || (first && strverscmp(name, first) >= 0)) continue;
        free(first);
        first = strdup(name);
    }
    if (archive) archive_read_free(archive);
    return first;
}

static int render(const char *path, int box, loop_picture *picture) {
    char *name = first_page(path);
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

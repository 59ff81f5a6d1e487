/* libarchive, pango and cairo: the first names in an archive. Those that hold pictures, of which Vitrine makes a contact
 * sheet, are left out. */
#include <archive_entry.h>
#include <loop.h>
#include <members.h>
#include <pages.h>
#include <stdlib.h>
#include <string.h>

#define LINES 24

static int start(const char *scratch) {
    (void)scratch;
    return 1;
}

/* Reads all headers, and keeps the first names; answers their number, 0 when the loop does not draw this one. */
static int list(struct archive *archive, char *names[LINES]) {
    struct archive_entry *entry;
    int count = 0, pictures = 0;
    while (archive_read_next_header(archive, &entry) == ARCHIVE_OK) {
        const char *name = archive_entry_pathname_utf8(entry);
        if (!name) continue;
        pictures += loop_is_picture(name);
        if (count < LINES) names[count++] = strdup(name);
    }
    return pictures ? 0 : count;
}

static int render(const char *path, int box, loop_picture *picture) {
    struct archive *archive = loop_open_archive(path);
    if (!archive) return 0;
    char *names[LINES] = {NULL};
    int count = list(archive, names);
    archive_read_free(archive);
    loop_page page;
    int drawn = count && loop_open_page(&page, box, LOOP_PAPER_WIDTH, LOOP_PAPER_HEIGHT, picture);
    if (drawn) {
        double y = 27;
        for (int i = 0; i < count; i++) y = loop_write(&page, names[i], -1, "Sans", 8.6, 17, y, 176, 282);
        drawn = loop_close_page(&page);
    }
    for (int i = 0; i < LINES; i++) free(names[i]);
    return drawn;
}

int main(int argc, char **argv) {
    const loop library = {start, render};
    return loop_main(argc, argv, &library);
}

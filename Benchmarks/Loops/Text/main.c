/* pango and cairo: the beginning of a text in UTF-8, line by line in type of one width. No Markdown, no tables. */
#include <loop.h>
#include <pages.h>
#include <stdlib.h>
#include <string.h>

static int start(const char *scratch) {
    (void)scratch;
    return 1;
}

static int render(const char *path, int box, loop_picture *picture) {
    int count;
    char *text = loop_text(path, &count);
    loop_page page;
    if (!text || !loop_open_page(&page, box, LOOP_PAPER_WIDTH, LOOP_PAPER_HEIGHT, picture)) {
        free(text);
        return 0;
    }
    double y = 27;
    for (char *line = text, *end; line && y < 282; line = end ? end + 1 : NULL) {
        end = strchr(line, '\n');
        int length = end ? (int)(end - line) : (int)strlen(line);
        y = loop_write(&page, line, length < 200 ? length : 200, "Monospace", 8.6, 17, y, 400, 282);
    }
    free(text);
    return loop_close_page(&page);
}

int main(int argc, char **argv) {
    const loop library = {start, render};
    return loop_main(argc, argv, &library);
}

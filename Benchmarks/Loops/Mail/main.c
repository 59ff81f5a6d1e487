/* GMime, pango and cairo: sender, subject, and the text of a message. Outlook's own format is left out. */
#include <gmime/gmime.h>
#include <loop.h>
#include <pages.h>

static int start(const char *scratch) {
    (void)scratch;
    g_mime_init();
    return 1;
}

/* The first part of plain text, below an object; the caller frees it. */
static char *text_of(GMimeObject *object) {
    if (GMIME_IS_MULTIPART(object)) {
        for (int i = 0; i < g_mime_multipart_get_count(GMIME_MULTIPART(object)); i++) {
            char *text = text_of(g_mime_multipart_get_part(GMIME_MULTIPART(object), i));
            if (text) return text;
        }
    }
    return GMIME_IS_TEXT_PART(object) ? g_mime_text_part_get_text(GMIME_TEXT_PART(object)) : NULL;
}

static int draw(GMimeMessage *message, int box, loop_picture *picture) {
    loop_page page;
    if (!loop_open_page(&page, box, LOOP_PAPER_WIDTH, LOOP_PAPER_HEIGHT, picture)) return 0;
    char *from = internet_address_list_to_string(g_mime_message_get_from(message), NULL, FALSE);
    const char *subject = g_mime_message_get_subject(message);
    char *text = g_mime_message_get_mime_part(message) ? text_of(g_mime_message_get_mime_part(message)) : NULL;
    double y = 27;
    if (from) y = loop_write(&page, from, -1, "Sans", 8.6, 17, y, 176, 60);
    if (subject) y = loop_write(&page, subject, -1, "Sans", 12, 17, y + 6, 176, 100);
    if (text) loop_write(&page, text, -1, "Sans", 8.6, 17, y + 8, 176, 282);
    g_free(text);
    g_free(from);
    return loop_close_page(&page);
}

static int render(const char *path, int box, loop_picture *picture) {
    GMimeStream *stream = g_mime_stream_fs_open(path, 0, 0, NULL);
    if (!stream) return 0;
    GMimeParser *parser = g_mime_parser_new_with_stream(stream);
    g_object_unref(stream);
    GMimeMessage *message = g_mime_parser_construct_message(parser, NULL);
    g_object_unref(parser);
    int drawn = message && g_mime_message_get_from(message) && draw(message, box, picture);
    if (message) g_object_unref(message);
    return drawn;
}

int main(int argc, char **argv) {
    const loop library = {start, render};
    return loop_main(argc, argv, &library);
}

#pragma once
#include <gmime/gmime.h>
#include <iconv.h>

/* Casts and questions about types are macros, which Swift cannot import. */
static inline GMimeMessage *cmail_parse(const char *bytes, size_t count) {
    GMimeStream *stream = g_mime_stream_mem_new_with_buffer(bytes, count);
    GMimeParser *parser = g_mime_parser_new_with_stream(stream);
    g_mime_parser_set_format(parser, GMIME_FORMAT_MESSAGE);
    GMimeMessage *message = g_mime_parser_construct_message(parser, NULL);
    g_object_unref(parser);
    g_object_unref(stream);
    return message;
}
static inline const char *cmail_header(GMimeMessage *message, const char *name) {
    return g_mime_object_get_header(GMIME_OBJECT(message), name);
}
/* The text of a part of a type, decoded; NULL when it is another one, or attached as a file. Freed with g_free. */
static inline char *cmail_text(GMimeObject *part, const char *subtype) {
    if (!part || !GMIME_IS_TEXT_PART(part) || g_mime_object_get_content_type(part) == NULL) { return NULL; }
    if (!g_mime_content_type_is_type(g_mime_object_get_content_type(part), "text", subtype)) { return NULL; }
    if (GMIME_IS_PART(part) && g_mime_part_is_attachment(GMIME_PART(part))) { return NULL; }
    if (g_mime_part_get_content(GMIME_PART(part)) == NULL) { return NULL; }
    return g_mime_text_part_get_text(GMIME_TEXT_PART(part));
}
static inline int cmail_is_encrypted(GMimeObject *part) {
    GMimeContentType *type = part ? g_mime_object_get_content_type(part) : NULL;
    return GMIME_IS_MULTIPART_ENCRYPTED(part)
        || (type && g_mime_content_type_is_type(type, "application", "pkcs7-mime"))
        || (type && g_mime_content_type_is_type(type, "application", "x-pkcs7-mime"));
}
static inline int cmail_is_attachment(GMimeObject *part) {
    return GMIME_IS_PART(part) && g_mime_part_is_attachment(GMIME_PART(part));
}
static inline GMimePartIter *cmail_parts(GMimeMessage *message) {
    return g_mime_part_iter_new(GMIME_OBJECT(message));
}
static inline int cmail_is_converter(iconv_t converter) { return converter != (iconv_t)-1; }

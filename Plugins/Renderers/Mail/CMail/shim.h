#pragma once
#include <gmime/gmime.h>

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
/* The bytes of a part, without their transfer encoding; NULL when it has none of its own. Freed with g_byte_array_unref. */
static inline GByteArray *cmail_content(GMimeObject *part) {
    GMimeDataWrapper *content = GMIME_IS_PART(part) ? g_mime_part_get_content(GMIME_PART(part)) : NULL;
    if (content == NULL) { return NULL; }
    GByteArray *bytes = g_byte_array_new();
    GMimeStream *stream = g_mime_stream_mem_new_with_byte_array(bytes);
    g_mime_stream_mem_set_owner(GMIME_STREAM_MEM(stream), FALSE);
    g_mime_data_wrapper_write_to_stream(content, stream);
    g_object_unref(stream);
    return bytes;
}
/* The same of a part of text of a type; NULL when it is another one, or attached as a file. */
static inline GByteArray *cmail_text(GMimeObject *part, const char *subtype) {
    if (!part || !GMIME_IS_TEXT_PART(part) || g_mime_object_get_content_type(part) == NULL) { return NULL; }
    if (!g_mime_content_type_is_type(g_mime_object_get_content_type(part), "text", subtype)) { return NULL; }
    if (g_mime_part_is_attachment(GMIME_PART(part))) { return NULL; }
    return cmail_content(part);
}
/* The encoding that a part of text says it is in, or NULL. Valid as long as the part. */
static inline const char *cmail_charset(GMimeObject *part) {
    return GMIME_IS_TEXT_PART(part) ? g_mime_text_part_get_charset(GMIME_TEXT_PART(part)) : NULL;
}
static inline int cmail_is_encrypted(GMimeObject *part) { return GMIME_IS_MULTIPART_ENCRYPTED(part); }
/* Whether a part holds a message that is enciphered or signed (RFC 8551, 3.2). */
static inline int cmail_is_cryptographic(GMimeObject *part) {
    GMimeContentType *type = part ? g_mime_object_get_content_type(part) : NULL;
    return type && (g_mime_content_type_is_type(type, "application", "pkcs7-mime")
        || g_mime_content_type_is_type(type, "application", "x-pkcs7-mime"));
}
/* Whether a part is a picture, be it shown in the mail or attached. */
static inline int cmail_is_picture(GMimeObject *part) {
    GMimeContentType *type = part && GMIME_IS_PART(part) ? g_mime_object_get_content_type(part) : NULL;
    return type && g_mime_content_type_is_type(type, "image", "*");
}
/* Whether it is not told what a part is. */
static inline int cmail_is_untold(GMimeObject *part) {
    GMimeContentType *type = part && GMIME_IS_PART(part) ? g_mime_object_get_content_type(part) : NULL;
    return type && g_mime_content_type_is_type(type, "application", "octet-stream");
}
static inline int cmail_is_attachment(GMimeObject *part) {
    return GMIME_IS_PART(part) && g_mime_part_is_attachment(GMIME_PART(part));
}
/* Whether a part is a message with a head of its own. */
static inline int cmail_is_message(GMimeObject *part) { return GMIME_IS_MESSAGE_PART(part); }
static inline GMimePartIter *cmail_parts(GMimeMessage *message) {
    return g_mime_part_iter_new(GMIME_OBJECT(message));
}

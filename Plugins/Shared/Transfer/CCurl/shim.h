#pragma once
/* What of libcurl Swift cannot import: functions with variable arguments, each with one type of value. */
#include <curl/curl.h>
#include <fcntl.h>
#include <stdbool.h>
#include <sys/socket.h>

static inline CURLcode ccurl_set_long(CURL *handle, CURLoption option, long value) {
    return (curl_easy_setopt)(handle, option, value);
}
static inline CURLcode ccurl_set_large(CURL *handle, CURLoption option, curl_off_t value) {
    return (curl_easy_setopt)(handle, option, value);
}
/* libcurl copies the text; NULL takes it back. */
static inline CURLcode ccurl_set_string(CURL *handle, CURLoption option, const char *value) {
    return (curl_easy_setopt)(handle, option, value);
}
/* The list must stay as long as the handle may use it. */
static inline CURLcode ccurl_set_list(CURL *handle, CURLoption option, struct curl_slist *value) {
    return (curl_easy_setopt)(handle, option, value);
}
/* The bytes are copied; their number is set before. */
static inline CURLcode ccurl_set_body(CURL *handle, const void *bytes, curl_off_t count) {
    (curl_easy_setopt)(handle, CURLOPT_POSTFIELDSIZE_LARGE, count);
    return (curl_easy_setopt)(handle, CURLOPT_COPYPOSTFIELDS, bytes);
}

typedef size_t (*ccurl_sink)(char *bytes, size_t size, size_t count, void *user);

static inline void ccurl_set_body_sink(CURL *handle, ccurl_sink sink, void *user) {
    (curl_easy_setopt)(handle, CURLOPT_WRITEFUNCTION, sink);
    (curl_easy_setopt)(handle, CURLOPT_WRITEDATA, user);
}
typedef int (*ccurl_seek)(void *user, curl_off_t offset, int origin);

/* The first function has the shape of a sink, and fills what it is given; the second begins again. What an earlier request
   of the handle sent is taken away: libcurl would take it for what it can begin again with. Sets the method, too. */
static inline void ccurl_set_body_source(CURL *handle, ccurl_sink source, ccurl_seek seek, void *user) {
    (curl_easy_setopt)(handle, CURLOPT_POSTFIELDS, NULL);
    (curl_easy_setopt)(handle, CURLOPT_UPLOAD, 1L);
    (curl_easy_setopt)(handle, CURLOPT_SEEKFUNCTION, seek);
    (curl_easy_setopt)(handle, CURLOPT_SEEKDATA, user);
    (curl_easy_setopt)(handle, CURLOPT_READFUNCTION, source);
    (curl_easy_setopt)(handle, CURLOPT_READDATA, user);
}
static inline void ccurl_set_header_sink(CURL *handle, ccurl_sink sink, void *user) {
    (curl_easy_setopt)(handle, CURLOPT_HEADERFUNCTION, sink);
    (curl_easy_setopt)(handle, CURLOPT_HEADERDATA, user);
}

static inline int ccurl_mark_socket(void *user, curl_socket_t socket, curlsocktype purpose) {
    (void)user;
    (void)purpose;
    return fcntl(socket, F_SETFD, FD_CLOEXEC) == 0 ? CURL_SOCKOPT_OK : CURL_SOCKOPT_ERROR;
}
/* Programs that the host starts do not inherit its connections. */
static inline void ccurl_close_sockets_on_exec(CURL *handle) {
    (curl_easy_setopt)(handle, CURLOPT_SOCKOPTFUNCTION, ccurl_mark_socket);
}

typedef bool (*ccurl_address_filter)(const struct sockaddr *address);

static inline curl_socket_t ccurl_open_filtered(void *user, curlsocktype purpose, struct curl_sockaddr *place) {
    (void)purpose;
    if (!((ccurl_address_filter)user)(&place->addr)) return CURL_SOCKET_BAD;
    return socket(place->family, place->socktype | SOCK_CLOEXEC, place->protocol);
}
/* Connections are made only to addresses that the function answers true for. */
static inline void ccurl_filter_addresses(CURL *handle, ccurl_address_filter filter) {
    (curl_easy_setopt)(handle, CURLOPT_OPENSOCKETFUNCTION, ccurl_open_filtered);
    (curl_easy_setopt)(handle, CURLOPT_OPENSOCKETDATA, (void *)filter);
}

static inline long ccurl_get_long(CURL *handle, CURLINFO info) {
    long value = 0;
    (curl_easy_getinfo)(handle, info, &value);
    return value;
}
/* The socket of a connection that libcurl made and leaves to its caller; -1 for none. */
static inline int ccurl_get_socket(CURL *handle) {
    curl_socket_t value = CURL_SOCKET_BAD;
    (curl_easy_getinfo)(handle, CURLINFO_ACTIVESOCKET, &value);
    return value;
}
static inline CURLMcode ccurl_multi_set_long(CURLM *multi, CURLMoption option, long value) {
    return (curl_multi_setopt)(multi, option, value);
}
/* The result of a transfer that ended; a union in C. */
static inline CURLcode ccurl_result(const CURLMsg *message) { return message->data.result; }

/* From openssl/x509_vfy.h: what CURLINFO_SSL_VERIFYRESULT tells. */
enum {
    ccurl_certificate_not_yet_valid = 9,
    ccurl_certificate_expired = 10,
    ccurl_certificate_self_signed = 18,
    ccurl_certificate_self_signed_chain = 19,
    ccurl_certificate_no_issuer = 20,
    ccurl_certificate_no_issuer_chain = 21,
    ccurl_certificate_revoked = 23,
    ccurl_certificate_other_host = 62,
};

#include "CHTTP.h"

#include <curl/curl.h>
#include <dlfcn.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

static struct {
    CURLcode (*init_library)(long);
    CURL *(*init)(void);
    CURLcode (*set)(CURL *, CURLoption, ...);
    CURLcode (*perform)(CURL *);
    CURLcode (*info)(CURL *, CURLINFO, ...);
    void (*cleanup)(CURL *);
    const char *(*text)(CURLcode);
    struct curl_slist *(*append)(struct curl_slist *, const char *);
    void (*free_list)(struct curl_slist *);
} curl;
static int loaded;
static pthread_once_t once = PTHREAD_ONCE_INIT;

static void load(void) {
    void *handle = dlopen("libcurl.so.4", RTLD_LAZY | RTLD_LOCAL);
    if (!handle) return;
    *(void **)&curl.init_library = dlsym(handle, "curl_global_init");
    *(void **)&curl.init = dlsym(handle, "curl_easy_init");
    *(void **)&curl.set = dlsym(handle, "curl_easy_setopt");
    *(void **)&curl.perform = dlsym(handle, "curl_easy_perform");
    *(void **)&curl.info = dlsym(handle, "curl_easy_getinfo");
    *(void **)&curl.cleanup = dlsym(handle, "curl_easy_cleanup");
    *(void **)&curl.text = dlsym(handle, "curl_easy_strerror");
    *(void **)&curl.append = dlsym(handle, "curl_slist_append");
    *(void **)&curl.free_list = dlsym(handle, "curl_slist_free_all");
    loaded = curl.init_library && curl.init && curl.set && curl.perform && curl.info && curl.cleanup && curl.text &&
             curl.append && curl.free_list && curl.init_library(CURL_GLOBAL_DEFAULT) == CURLE_OK;
}

struct call {
    chttp_answer *answer;
    size_t limit, room;
    chttp_stop stop;
    void *user;
};

/* A body that grows is moved by hand: realloc would leave a copy of a secret behind. */
static size_t take(char *bytes, size_t size, size_t count, void *user) {
    struct call *call = user;
    chttp_answer *answer = call->answer;
    size_t more = size * count;
    if (more > call->limit - answer->length) {
        answer->is_too_long = 1;
        return 0;
    }
    if (answer->length + more > call->room) {
        size_t room = 2 * (answer->length + more) + 4096;
        char *grown = malloc(room);
        if (!grown) return 0;
        memcpy(grown, answer->body, answer->length);
        explicit_bzero(answer->body, answer->length);
        free(answer->body);
        answer->body = grown;
        call->room = room;
    }
    memcpy(answer->body + answer->length, bytes, more);
    answer->length += more;
    return more;
}

static int progress(void *user, curl_off_t a, curl_off_t b, curl_off_t c, curl_off_t d) {
    struct call *call = user;
    (void)a, (void)b, (void)c, (void)d;
    if (!call->stop(call->user)) return 0;
    call->answer->is_stopped = 1;
    return 1;
}

void chttp_post(
    const char *url, const char *form, int allows_plain, const char *ca_file, long milliseconds, size_t limit,
    chttp_stop stop, void *user, chttp_answer *answer) {
    memset(answer, 0, sizeof *answer);
    answer->body = calloc(1, 1);
    pthread_once(&once, load);
    CURL *handle = loaded ? curl.init() : NULL;
    if (!handle || !answer->body) {
        answer->is_absent = 1;
        if (handle) curl.cleanup(handle);
        return;
    }
    struct call call = {answer, limit, 1, stop, user};
    struct curl_slist *lines = curl.append(NULL, "Accept: application/json");
    curl.set(handle, CURLOPT_URL, url);
    curl.set(handle, CURLOPT_PROTOCOLS_STR, allows_plain ? "http,https" : "https");
    curl.set(handle, CURLOPT_POSTFIELDSIZE_LARGE, (curl_off_t)strlen(form));
    curl.set(handle, CURLOPT_POSTFIELDS, form);
    curl.set(handle, CURLOPT_HTTPHEADER, lines);
    curl.set(handle, CURLOPT_FOLLOWLOCATION, 0L);
    curl.set(handle, CURLOPT_NOSIGNAL, 1L);
    curl.set(handle, CURLOPT_NETRC, 0L);
    curl.set(handle, CURLOPT_SSL_VERIFYPEER, 1L);
    curl.set(handle, CURLOPT_SSL_VERIFYHOST, 2L);
    curl.set(handle, CURLOPT_SSLVERSION, (long)CURL_SSLVERSION_TLSv1_2);
    /* Without TLS it is this machine itself: what is secret must not go to a proxy on the way to it. */
    if (allows_plain) curl.set(handle, CURLOPT_PROXY, "");
    if (ca_file) curl.set(handle, CURLOPT_CAINFO, ca_file);
    curl.set(handle, CURLOPT_CAPATH, "/etc/ssl/certs");
    curl.set(handle, CURLOPT_USERAGENT, "Vitrine/1");
    curl.set(handle, CURLOPT_CONNECTTIMEOUT_MS, milliseconds < 10000 ? milliseconds : 10000L);
    curl.set(handle, CURLOPT_TIMEOUT_MS, milliseconds);
    curl.set(handle, CURLOPT_WRITEFUNCTION, take);
    curl.set(handle, CURLOPT_WRITEDATA, &call);
    curl.set(handle, CURLOPT_NOPROGRESS, 0L);
    curl.set(handle, CURLOPT_XFERINFOFUNCTION, progress);
    curl.set(handle, CURLOPT_XFERINFODATA, &call);
    CURLcode result = curl.perform(handle);
    if (result == CURLE_OK) {
        curl.info(handle, CURLINFO_RESPONSE_CODE, &answer->status);
    } else {
        strncpy(answer->message, curl.text(result), sizeof answer->message - 1);
    }
    curl.free_list(lines);
    curl.cleanup(handle);
}

void chttp_free(chttp_answer *answer) {
    if (answer->body) explicit_bzero(answer->body, answer->length);
    free(answer->body);
    answer->body = NULL;
}

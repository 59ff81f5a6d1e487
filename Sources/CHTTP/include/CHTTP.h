/* One request of HTTP through libcurl, which is loaded when it is first needed: only who logs in or renews a token asks
 * anything from the engine itself, and libcurl brings thirty libraries along. May be called from any thread; blocks. */
#pragma once
#include <stddef.h>

typedef struct {
    /* The status, or 0 when no answer came; `message` says why then. */
    long status;
    /* The whole body, never NULL after a call. */
    char *body;
    size_t length;
    char message[256];
    /* Whether there is no libcurl, or whether whoever asked stopped it, or whether the body is too long. */
    int is_absent, is_stopped, is_too_long;
} chttp_answer;

/* Asked whenever bytes come or go, and about once a second while none do; anything but 0 ends the request. */
typedef int (*chttp_stop)(void *user);

/* Sends a form (application/x-www-form-urlencoded) by POST and takes the answer.
 * - Certificates are checked, redirects are not followed, and nothing but https is spoken.
 * - `allows_plain`: http is spoken, too, and no proxy of the environment is used; for addresses of this machine only.
 * - `ca_file`: certificates that are trusted besides the system's, or NULL.
 * - `milliseconds`: for all of it. `limit`: bytes of a body. */
void chttp_post(
    const char *url, const char *form, int allows_plain, const char *ca_file, long milliseconds, size_t limit,
    chttp_stop stop, void *user, chttp_answer *answer);

/* Overwrites and frees the body, which may hold a secret. */
void chttp_free(chttp_answer *answer);

/* The Secret Service (org.freedesktop.secrets) through libsecret, which is loaded when it is first needed: most runs need
 * no secret, and it brings a dozen libraries along. May be called from any thread; calls block until the service, or the
 * user whom it asks, answers. */
#pragma once

typedef enum {
    VS_DONE = 0,
    /* There is no library or no service. */
    VS_ABSENT = 1,
    /* The service has no such secret. */
    VS_MISSING = 2,
    /* The service refused; *message says why. */
    VS_FAILED = 3
} vs_result;

/* Whether the library is there and a service answers. *message as below when it does not. */
vs_result vs_available(char **message);

/* Keeps a secret under an account and a key; `label` is what people see in their keyring.
 * *message is set when the result is VS_FAILED or VS_ABSENT; free it with vs_free. */
vs_result vs_store(const char *account, const char *key, const char *label, const char *secret, char **message);

/* Finds a secret; free *secret with vs_free_secret. */
vs_result vs_lookup(const char *account, const char *key, char **secret, char **message);

/* Deletes a secret. */
vs_result vs_clear(const char *account, const char *key, char **message);

/* Overwrites and frees a secret. */
void vs_free_secret(char *secret);
void vs_free(char *message);

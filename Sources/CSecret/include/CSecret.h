/* The Secret Service (org.freedesktop.secrets) through libsecret, which is loaded when it is first needed: most runs need
 * no secret, and it brings a dozen libraries along. May be called from any thread; calls block until the service, or the
 * user whom it asks, answers. */
#pragma once

typedef enum {
    CSECRET_DONE = 0,
    /* There is no library or no service. */
    CSECRET_ABSENT = 1,
    /* The service has no such secret. */
    CSECRET_MISSING = 2,
    /* The service refused; *message says why. */
    CSECRET_FAILED = 3
} csecret_result;

/* Whether the library is there and a service answers. *message as below when it does not. */
csecret_result csecret_available(char **message);

/* Keeps a secret under an account and a key; `label` is what people see in their keyring.
 * *message is set when the result is CSECRET_FAILED or CSECRET_ABSENT; free it with csecret_free. */
csecret_result csecret_store(const char *account, const char *key, const char *label, const char *secret, char **message);

/* Finds a secret; free *secret with csecret_free_secret. */
csecret_result csecret_lookup(const char *account, const char *key, char **secret, char **message);

/* Deletes a secret. */
csecret_result csecret_clear(const char *account, const char *key, char **message);

/* Overwrites and frees a secret. */
void csecret_free_secret(char *secret);
void csecret_free(char *message);

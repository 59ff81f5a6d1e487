#include "CSecret.h"

#include <dlfcn.h>
#include <libsecret/secret.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

static const SecretSchema schema = {
    "org.vitrine.Account", SECRET_SCHEMA_NONE,
    {{"account", SECRET_SCHEMA_ATTRIBUTE_STRING}, {"key", SECRET_SCHEMA_ATTRIBUTE_STRING}, {NULL, 0}},
    0, 0, 0, 0, 0, 0, 0, 0};

static struct {
    SecretService *(*get)(SecretServiceFlags, GCancellable *, GError **);
    gboolean (*store)(
        const SecretSchema *, GHashTable *, const gchar *, const gchar *, const gchar *, GCancellable *, GError **);
    gchar *(*lookup)(const SecretSchema *, GHashTable *, GCancellable *, GError **);
    gboolean (*clear)(const SecretSchema *, GHashTable *, GCancellable *, GError **);
    void (*free)(gchar *);
} library;
static int loaded;
static pthread_once_t once = PTHREAD_ONCE_INIT;

static void load(void) {
    void *handle = dlopen("libsecret-1.so.0", RTLD_LAZY | RTLD_LOCAL);
    if (!handle) return;
    *(void **)&library.get = dlsym(handle, "secret_service_get_sync");
    *(void **)&library.store = dlsym(handle, "secret_password_storev_sync");
    *(void **)&library.lookup = dlsym(handle, "secret_password_lookupv_sync");
    *(void **)&library.clear = dlsym(handle, "secret_password_clearv_sync");
    *(void **)&library.free = dlsym(handle, "secret_password_free");
    loaded = library.get && library.store && library.lookup && library.clear && library.free;
}

static int is_loaded(char **message) {
    pthread_once(&once, load);
    if (!loaded) *message = strdup("libsecret is not installed");
    return loaded;
}

static csecret_result failed(GError *error, char **message) {
    *message = strdup(error ? error->message : "it did not say why");
    if (error) g_error_free(error);
    return CSECRET_FAILED;
}

static GHashTable *attributes(const char *account, const char *key) {
    GHashTable *table = g_hash_table_new(g_str_hash, g_str_equal);
    g_hash_table_insert(table, "account", (gpointer)account);
    g_hash_table_insert(table, "key", (gpointer)key);
    return table;
}

csecret_result csecret_available(char **message) {
    if (!is_loaded(message)) return CSECRET_ABSENT;
    GError *error = NULL;
    SecretService *service = library.get(SECRET_SERVICE_OPEN_SESSION, NULL, &error);
    if (!service) {
        failed(error, message);
        return CSECRET_ABSENT;
    }
    g_object_unref(service);
    return CSECRET_DONE;
}

csecret_result csecret_store(const char *account, const char *key, const char *label, const char *secret, char **message) {
    if (!is_loaded(message)) return CSECRET_ABSENT;
    GError *error = NULL;
    GHashTable *table = attributes(account, key);
    gboolean done = library.store(&schema, table, SECRET_COLLECTION_DEFAULT, label, secret, NULL, &error);
    g_hash_table_unref(table);
    return done ? CSECRET_DONE : failed(error, message);
}

csecret_result csecret_lookup(const char *account, const char *key, char **secret, char **message) {
    if (!is_loaded(message)) return CSECRET_ABSENT;
    GError *error = NULL;
    GHashTable *table = attributes(account, key);
    *secret = library.lookup(&schema, table, NULL, &error);
    g_hash_table_unref(table);
    if (*secret) return CSECRET_DONE;
    return error ? failed(error, message) : CSECRET_MISSING;
}

csecret_result csecret_clear(const char *account, const char *key, char **message) {
    if (!is_loaded(message)) return CSECRET_ABSENT;
    GError *error = NULL;
    GHashTable *table = attributes(account, key);
    gboolean done = library.clear(&schema, table, NULL, &error);
    g_hash_table_unref(table);
    if (done) return CSECRET_DONE;
    return error ? failed(error, message) : CSECRET_MISSING;
}

void csecret_free_secret(char *secret) { library.free(secret); }
void csecret_free(char *message) { free(message); }

#pragma once
#include <sqlite3.h>
#include <stddef.h>

/* memmem(3), which <string.h> declares for _GNU_SOURCE only. */
const void *cpackage_find(const void *bytes, size_t count, const void *words, size_t length) __asm__("memmem");

/* Prepares a connection for a database of strangers: its own text runs no functions but harmless ones, and cannot change how
 * databases are read. Variable arguments are not imported. */
static inline void cpackage_distrust(sqlite3 *database) {
    sqlite3_db_config(database, SQLITE_DBCONFIG_DEFENSIVE, 1, NULL);
    sqlite3_db_config(database, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, NULL);
    sqlite3_db_config(database, SQLITE_DBCONFIG_ENABLE_TRIGGER, 0, NULL);
    sqlite3_db_config(database, SQLITE_DBCONFIG_ENABLE_VIEW, 0, NULL);
    sqlite3_limit(database, SQLITE_LIMIT_LENGTH, 64 << 20);
    sqlite3_limit(database, SQLITE_LIMIT_VDBE_OP, 10000);
}

#pragma once
#include <sqlite3.h>
#include <stddef.h>
#include <string.h>

/* An open file as SQLite keeps it: its own part comes first. */
typedef struct {
    sqlite3_file base;
    void *owner;
} cdatabase_file;

/* A read that came to the end of the file. Swift does not import what is computed of other names. */
static const int cdatabase_short_read = SQLITE_IOERR_SHORT_READ;

/* Prepares a connection for a database of strangers: its own text runs no functions but harmless ones, and no views, triggers
 * or virtual tables, whatever names them. Variable arguments are not imported. */
static inline void cdatabase_distrust(sqlite3 *database) {
    sqlite3_db_config(database, SQLITE_DBCONFIG_DEFENSIVE, 1, NULL);
    sqlite3_db_config(database, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, NULL);
    sqlite3_db_config(database, SQLITE_DBCONFIG_ENABLE_TRIGGER, 0, NULL);
    sqlite3_db_config(database, SQLITE_DBCONFIG_ENABLE_VIEW, 0, NULL);
    sqlite3_db_config(database, SQLITE_DBCONFIG_DQS_DML, 0, NULL);
    sqlite3_drop_modules(database, NULL);
    sqlite3_limit(database, SQLITE_LIMIT_LENGTH, 16 << 20);
    sqlite3_limit(database, SQLITE_LIMIT_VDBE_OP, 10000);
    sqlite3_limit(database, SQLITE_LIMIT_ATTACHED, 0);
}

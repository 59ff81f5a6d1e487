#pragma once
#include <sqlite3.h>

// Variable arguments are not imported. Without its statistics SQLite takes no lock for each piece of memory. Only before
// its first use; refused later, which does no harm.
static inline int csqlite_omit_statistics(void) { return sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0); }

// SQLITE_TRANSIENT is a cast of a number to a function, which Swift cannot write. SQLite copies the bytes at once.

static inline int csqlite_bind_text(sqlite3_stmt *statement, int index, const void *text, int count) {
    return sqlite3_bind_text(statement, index, (const char *)(text ? text : ""), count, SQLITE_TRANSIENT);
}

static inline int csqlite_bind_blob(sqlite3_stmt *statement, int index, const void *bytes, int count) {
    return sqlite3_bind_blob(statement, index, bytes ? bytes : "", count, SQLITE_TRANSIENT);
}

#pragma once
#include <archive.h>
#include <archive_entry.h>
#include <errno.h>
#include <locale.h>

/* Macros with casts, which Swift cannot import. */
static inline int carchive_is_file(struct archive_entry *entry) { return archive_entry_filetype(entry) == AE_IFREG; }
static inline int carchive_is_link(struct archive_entry *entry) { return archive_entry_filetype(entry) == AE_IFLNK; }
static inline int carchive_is_folder(struct archive_entry *entry) { return archive_entry_filetype(entry) == AE_IFDIR; }

#pragma once
#include <sqfs/compressor.h>
#include <sqfs/data_reader.h>
#include <sqfs/dir.h>
#include <sqfs/dir_reader.h>
#include <sqfs/error.h>
#include <sqfs/inode.h>
#include <sqfs/io.h>
#include <sqfs/super.h>

/* A file of libsquashfs that somebody else reads. */
typedef struct {
    sqfs_file_t file;
    void *owner;
} cprogram_file;

/* What Swift cannot reach: members without a length at the ends of structures. */
static inline const sqfs_u8 *cprogram_name(const sqfs_dir_entry_t *entry) { return entry->name; }

/* The target of a link, which is not ended by a zero. */
static inline const sqfs_u8 *cprogram_target(const sqfs_inode_generic_t *link) { return (const sqfs_u8 *)link->extra; }

/* Help files of Windows (CHM), read with libmspack: through a function where they lie, and into memory what they hold.
 * Nothing here opens a file. A help file is used by one thread. */
#pragma once
#include <stddef.h>
#include <stdint.h>

/* Where the bytes of a help file come from. */
typedef struct {
    /* Handed to `read`. */
    void *context;
    int64_t size;
    /* Reads from a place on. Returns how many bytes were read, 0 at the end, and less when it failed. */
    int (*read)(void *context, int64_t offset, void *buffer, int count);
} chelp_input;

typedef struct chelp_file chelp_file;

/* Why a help file cannot be opened: it is damaged, or none, or lists more files than are looked through. */
typedef enum { chelp_damaged, chelp_too_many } chelp_failure;

/* Reads the list of what a help file holds. The input's context must live as long as what is returned.
 * Returns NULL, and says why, where that cannot be done. Close it with chelp_close. */
chelp_file *chelp_open(chelp_input input, chelp_failure *failure);
void chelp_close(chelp_file *help);

/* How many files there are in it. */
size_t chelp_count(const chelp_file *help);
/* The path of one, in UTF-8; it lives as long as the help file. */
const char *chelp_path(const chelp_file *help, size_t index);
/* Bytes that one is said to have. */
int64_t chelp_length(const chelp_file *help, size_t index);
/* Unpacks a file, or its beginning as far as there is room. Returns how many bytes that are, and less than 0 for damage. */
int64_t chelp_unpack(chelp_file *help, size_t index, void *buffer, size_t room);

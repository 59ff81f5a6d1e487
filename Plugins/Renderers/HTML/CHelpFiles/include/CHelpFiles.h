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
} chelpfiles_input;

typedef struct chelpfiles_file chelpfiles_file;

/* Why a help file cannot be opened: it is damaged, or none, or lists more files than are looked through. */
typedef enum { chelpfiles_damaged, chelpfiles_too_many } chelpfiles_failure;

/* Reads the list of what a help file holds. The input's context must live as long as what is returned.
 * Returns NULL, and says why, where that cannot be done. Close it with chelpfiles_close. */
chelpfiles_file *chelpfiles_open(chelpfiles_input input, chelpfiles_failure *failure);
void chelpfiles_close(chelpfiles_file *help);

/* How many files there are in it. */
size_t chelpfiles_count(const chelpfiles_file *help);
/* The path of one, in UTF-8; it lives as long as the help file. */
const char *chelpfiles_path(const chelpfiles_file *help, size_t index);
/* Bytes that one is said to have. */
int64_t chelpfiles_length(const chelpfiles_file *help, size_t index);
/* Unpacks a file, or its beginning as far as there is room. Returns how many bytes that are, and less than 0 for damage. */
int64_t chelpfiles_unpack(chelpfiles_file *help, size_t index, void *buffer, size_t room);

/* Folders and all that is below them, however deep.
 * Every function returns a value of 0 or more, or -errno; errno itself is left undefined. */
#pragma once
#include <stdint.h>

/* Removes a folder and all below it, following no link and leaving its file system at no point, also folders whose
 * modes keep their owner out. 0 also when there is nothing. */
int vp_remove_tree(const char *path);

/* Removes all that is in a folder, as vp_remove_tree does; the folder stays. */
int vp_empty_folder(const char *path);

/* Adds up what lies in a folder and below it, following no link and leaving its file system at no point: the bytes
 * on disk in *bytes, and the number of files and folders as result. Stops at most_entries, and says so many at a
 * folder that cannot be read. */
int64_t vp_folder_usage(const char *path, int64_t most_entries, int64_t *bytes);

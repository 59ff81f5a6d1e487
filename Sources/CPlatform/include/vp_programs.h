/* Programs that somebody else wrote: the user's own commands, and thumbnailers of other projects.
 * Every function returns a value of 0 or more, or -errno; errno itself is left undefined. */
#pragma once
#include "vp_process.h"

#include <stdint.h>
#include <sys/types.h>

/* Runs a command by /bin/sh -c. It gets `input` as descriptor 0, `output` as 1, this process's standard error, nothing
 * else; default handlers for what this process may ignore; with `own_group` a process group of its own. Returns its
 * pid. */
pid_t vp_spawn_shell(const char *command, int input, int output, int own_group);

/* Runs a program to its end. It starts in `folder`, with the descriptors 0, 1 and 2 of this process and no others. The
 * first process of a PID namespace then ends all that the program left behind in it. */
int vp_run(const char *path, char *const argv[], char *const envp[], const char *folder, vp_exit *how);

/* Resident memory in bytes of a process and all that descend from it, as far as the system shows them. */
int64_t vp_tree_memory(pid_t pid);

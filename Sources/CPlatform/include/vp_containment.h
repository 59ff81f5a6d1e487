/* Containment: what a process takes away from itself before it reads hostile input.
 * Mechanism only; which layers, in which order and with which rules is decided by the module Containment.
 * Every function returns a value of 0 or more, or -errno. None is safe while other threads run, unless it
 * says so: a worker calls them while it has one thread, or does not care about the others. */
#pragma once
#include <stddef.h>
#include <stdint.h>

/* The user and group that a worker started by root becomes. */
#define VP_NOBODY 65534

/* Closes every descriptor above `highest`, and opens /dev/null for those of 0, 1 and 2 that are not open, so
 * that no file which a library opens later becomes its standard error. */
int vp_keep_descriptors(int highest);

/* Gives a folder to VP_NOBODY. -ELOOP or -ENOTDIR if the path is a link or no folder. */
int vp_give_folder(const char *path);

/* Drops the supplementary groups, the group and the user to VP_NOBODY; with the last one the kernel clears
 * every capability. -EPERM if root could be had back afterwards. */
int vp_become_nobody(void);

/* Gives up all capabilities, those of a user namespace included. */
int vp_drop_capabilities(void);

/* Sets no_new_privs: set-user-id programs and file capabilities gain nothing any more. */
int vp_forbid_privileges(void);

/* Forbids dumps of the memory: no core file, and no ptrace or /proc/PID/mem by other processes of the user. */
int vp_forbid_dumps(void);

/* Moves the process into network and IPC namespaces of its own that hold nothing: no interface is up.
 * With `user_namespace` it makes a user namespace for them first, which needs no privilege but one thread
 * only; there the kernel shows the ids as 65534, while access to files stays what it was. */
int vp_leave_network(int user_namespace);

/* The same with a user namespace, and into a PID namespace besides, as the first process of which this call returns:
 * nothing in it can see or signal a process outside, and all of it ends with this one. The process that called stays
 * behind, holds no descriptor, and ends as this one ends; when it is killed, this one is killed too. */
int vp_become_first_process(void);

/* Restores the default action of the signals that tell of a crash (libraries install handlers that turn a
 * crash into an exit), and ignores SIGXFSZ, so that a write over the limit fails with EFBIG. */
int vp_reset_signals(void);

/* Makes the kernel end this process before others when memory runs out: 0 to 1000, and never less than before. */
int vp_offer_to_oom_killer(int score);

/* Kinds of limits for vp_limit. At the limit of processor time, in seconds, the kernel ends the process by SIGKILL,
 * which no process can block. */
enum { VP_LIMIT_ADDRESS_SPACE, VP_LIMIT_FILE_SIZE, VP_LIMIT_OPEN_FILES, VP_LIMIT_PROCESSOR_TIME, VP_LIMIT_PROCESSES };

/* Lowers a resource limit, soft and hard, to `value` or to the hard limit of now, whichever is less. */
int vp_limit(int kind, uint64_t value);

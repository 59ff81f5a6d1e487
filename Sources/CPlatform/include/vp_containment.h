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

/* Landlock. */

/* The version of Landlock's interface that the kernel offers, 1 or more; -ENOSYS or -EOPNOTSUPP without it. */
int vp_landlock_abi(void);

/* A rule set that denies everything which this version can deny: all of the file system, TCP from version 4,
 * abstract sockets and signals to processes outside from version 6. Returns its descriptor. */
int vp_landlock_new(int abi);

/* What vp_landlock_allow opens. Only VP_FILES_RUN allows to execute a file; mapping a library needs reading only. */
enum {
    VP_FILES_READ,    /* read files, list folders */
    VP_FILES_WRITE,   /* the same, and create, write, rename and remove files and folders */
    VP_FILES_DEVICE,  /* read and write one device file, such as /dev/null */
    VP_FILES_RUN      /* read files, list folders, execute programs */
};

/* Allows something at a file, or at a folder and all below. -ENOENT if there is nothing. */
int vp_landlock_allow(int ruleset, int abi, const char *path, int access);

/* Puts the rule set in force for the calling thread and those that it starts; the descriptor stays open.
 * Rule sets add up: what one of them denies is denied. */
int vp_landlock_enforce(int ruleset);

/* Seccomp. */

/* A filter of system calls that is being built. */
typedef struct vp_filter vp_filter;

/* What happens to a call: VP_ALLOW, VP_KILL (the whole process, by SIGSYS), VP_PRETEND (it returns 0 and does nothing),
 * or an errno that it returns. */
enum { VP_ALLOW = 0, VP_KILL = -1, VP_PRETEND = -2 };

/* Flags of clone(2), which <sched.h> shows to GNU sources only. */
enum { VP_CLONE_VM = 0x100, VP_CLONE_SIGHAND = 0x800, VP_CLONE_THREAD = 0x10000, VP_CLONE_NEW_USER = 0x10000000 };

/* Creates a filter; `otherwise` is what happens to calls without a rule. Calls of a foreign architecture
 * (i386 or x32 on x86-64) end the process. NULL without memory. */
vp_filter *vp_filter_new(int otherwise);

/* Adds a rule for a call by name: 1, or 0 if this architecture has no call of that name. */
int vp_filter_rule(vp_filter *filter, int action, const char *call);

/* The same for the calls only in which (argument & mask) == value; arguments count from 0. */
int vp_filter_rule_masked(
    vp_filter *filter, int action, const char *call, unsigned argument, uint64_t mask, uint64_t value);

/* Puts the filter in force for all threads of the process. */
int vp_filter_load(vp_filter *filter);

/* Frees the builder; what was loaded stays in force. */
void vp_filter_free(vp_filter *filter);

/* Probes: harmless attempts, to see which layer answers. */

/* The number of a system call on this architecture, or -ENOSYS. */
long vp_call_number(const char *name);

/* Makes a system call and returns what it returned, or -errno. */
long vp_call(long number, long a, long b, long c, long d, long e);

/* Opens a path for reading and closes it again. */
int vp_probe_open(const char *path);

/* Looks for a way to 127.0.0.1 without sending anything: -ENETUNREACH in an empty network namespace. */
int vp_probe_route(void);

/* Binds a TCP socket to no port in particular and closes it: -EACCES under Landlock. */
int vp_probe_tcp(void);

/* Maps `size` bytes without access and unmaps them. */
int vp_probe_map(uint64_t size);

/* Whether descriptor numbers from `first` on can be had. */
int vp_probe_descriptor(int first);

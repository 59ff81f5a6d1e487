/* Seccomp: which system calls a process may make. Returns as those of vp_containment.h, where nothing else is said. */
#pragma once
#include <stdint.h>

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

/* The number of a system call on this architecture, or -ENOSYS. */
long vp_call_number(const char *name);

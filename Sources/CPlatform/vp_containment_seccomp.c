#define _GNU_SOURCE
#include "vp_containment_seccomp.h"

#include <errno.h>
#include <seccomp.h>
#include <stddef.h>

static uint32_t native(int action) {
    if (action == VP_ALLOW) return SCMP_ACT_ALLOW;
    if (action == VP_KILL) return SCMP_ACT_KILL_PROCESS;
    if (action == VP_PRETEND) return SCMP_ACT_ERRNO(0);
    return SCMP_ACT_ERRNO((uint32_t)action);
}

vp_filter *vp_filter_new(int otherwise) {
    scmp_filter_ctx filter = seccomp_init(native(otherwise));
    if (!filter) return NULL;
    if (seccomp_attr_set(filter, SCMP_FLTATR_ACT_BADARCH, SCMP_ACT_KILL_PROCESS) < 0
        || seccomp_attr_set(filter, SCMP_FLTATR_CTL_TSYNC, 1) < 0
        /* Answers of the kernel are handed on instead of a general ECANCELED. */
        || seccomp_attr_set(filter, SCMP_FLTATR_API_SYSRAWRC, 1) < 0) {
        seccomp_release(filter);
        return NULL;
    }
    return filter;
}

static int add(vp_filter *filter, int action, const char *call, unsigned count, const struct scmp_arg_cmp *compare) {
    /* Calls that exist on other architectures only have negative numbers. */
    int number = seccomp_syscall_resolve_name(call);
    if (number < 0) return 0;
    uint32_t otherwise;
    if (seccomp_attr_get(filter, SCMP_FLTATR_ACT_DEFAULT, &otherwise) == 0 && otherwise == native(action)) return 1;
    int failure = seccomp_rule_add_array(filter, native(action), number, count, compare);
    return failure < 0 ? failure : 1;
}

int vp_filter_rule(vp_filter *filter, int action, const char *call) { return add(filter, action, call, 0, NULL); }

int vp_filter_rule_masked(
    vp_filter *filter, int action, const char *call, unsigned argument, uint64_t mask, uint64_t value) {
    const struct scmp_arg_cmp compare = { argument, SCMP_CMP_MASKED_EQ, mask, value };
    return add(filter, action, call, 1, &compare);
}

int vp_filter_load(vp_filter *filter) { return seccomp_load(filter); }

void vp_filter_free(vp_filter *filter) { seccomp_release(filter); }

long vp_call_number(const char *name) {
    int number = seccomp_syscall_resolve_name(name);
    return number < 0 ? -ENOSYS : number;
}

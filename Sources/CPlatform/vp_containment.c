#define _GNU_SOURCE
#include "vp_containment.h"
#include "vp_process.h"

#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <linux/capability.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

static int result(long value) { return value < 0 ? -errno : 0; }

int vp_keep_descriptors(int highest) {
    vp_open_standard_streams();
    if (syscall(SYS_close_range, (unsigned)highest + 1, ~0U, 0) == 0) return 0;
    /* Linux before 5.9, or a filter that does not know the call. */
    struct rlimit limit;
    if (getrlimit(RLIMIT_NOFILE, &limit) < 0) return -errno;
    rlim_t end = limit.rlim_cur < 65536 ? limit.rlim_cur : 65536;
    for (int fd = highest + 1; (rlim_t)fd < end; fd++) close(fd);
    return 0;
}

int vp_give_folder(const char *path) {
    int fd = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    if (fd < 0) return -errno;
    int answer = result(fchown(fd, VP_NOBODY, VP_NOBODY));
    close(fd);
    return answer;
}

int vp_become_nobody(void) {
    if (setgroups(0, NULL) < 0) return -errno;
    if (setresgid(VP_NOBODY, VP_NOBODY, VP_NOBODY) < 0) return -errno;
    if (setresuid(VP_NOBODY, VP_NOBODY, VP_NOBODY) < 0) return -errno;
    return setuid(0) == 0 ? -EPERM : 0;
}

int vp_drop_capabilities(void) {
    struct __user_cap_header_struct header = { .version = _LINUX_CAPABILITY_VERSION_3 };
    struct __user_cap_data_struct none[_LINUX_CAPABILITY_U32S_3];
    memset(none, 0, sizeof none);
    return result(syscall(SYS_capset, &header, none));
}

int vp_forbid_privileges(void) { return result(prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0)); }

int vp_forbid_dumps(void) {
    struct rlimit none = { 0, 0 };
    if (setrlimit(RLIMIT_CORE, &none) < 0) return -errno;
    if (prctl(PR_SET_DUMPABLE, 0, 0, 0, 0) < 0) return -errno;
    return prctl(PR_GET_DUMPABLE, 0, 0, 0, 0) == 0 ? 0 : -EPERM;
}

int vp_leave_network(int user_namespace) {
    return result(unshare(CLONE_NEWNET | CLONE_NEWIPC | (user_namespace ? CLONE_NEWUSER : 0)));
}

/* What stays outside of the namespace, only to be waited for and to be killed. */
static void stand_for(pid_t inner) {
    int status = 0;
    syscall(SYS_close_range, 0U, ~0U, 0);
    close(3);
    while (waitpid(inner, &status, 0) < 0 && errno == EINTR) continue;
    if (WIFSIGNALED(status)) {
        signal(WTERMSIG(status), SIG_DFL);
        kill(getpid(), WTERMSIG(status));
    }
    _exit(WIFEXITED(status) ? WEXITSTATUS(status) : 1);
}

int vp_become_first_process(void) {
    if (unshare(CLONE_NEWUSER | CLONE_NEWNET | CLONE_NEWIPC | CLONE_NEWPID) < 0) return -errno;
    pid_t inner = fork();
    if (inner < 0) return -errno;
    if (inner > 0) stand_for(inner);
    /* Who was killed before this call is not noticed by it; the socket's other end is then closed, or soon will be. */
    if (prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0) < 0) return -errno;
    return getpid() == 1 ? 0 : -EPERM;
}

int vp_reset_signals(void) {
    static const int crashes[] = { SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGABRT, SIGTRAP, SIGSYS };
    struct sigaction action;
    memset(&action, 0, sizeof action);
    action.sa_handler = SIG_DFL;
    for (size_t i = 0; i < sizeof crashes / sizeof *crashes; i++)
        if (sigaction(crashes[i], &action, NULL) < 0) return -errno;
    action.sa_handler = SIG_IGN;
    return result(sigaction(SIGXFSZ, &action, NULL));
}

int vp_offer_to_oom_killer(int score) {
    int fd = open("/proc/self/oom_score_adj", O_RDWR | O_CLOEXEC);
    if (fd < 0) return -errno;
    char text[16];
    ssize_t count = read(fd, text, sizeof text - 1);
    int answer = count < 0 ? -errno : 0;
    if (count > 0) {
        text[count] = 0;
        int now = 0;
        if (sscanf(text, "%d", &now) == 1 && now < score) {
            int length = snprintf(text, sizeof text, "%d", score);
            if (pwrite(fd, text, (size_t)length, 0) != length) answer = -errno;
        }
    }
    close(fd);
    return answer;
}

int vp_limit(int kind, uint64_t value) {
    int which;
    switch (kind) {
    case VP_LIMIT_ADDRESS_SPACE: which = RLIMIT_AS; break;
    case VP_LIMIT_FILE_SIZE: which = RLIMIT_FSIZE; break;
    case VP_LIMIT_OPEN_FILES: which = RLIMIT_NOFILE; break;
    case VP_LIMIT_PROCESSOR_TIME: which = RLIMIT_CPU; break;
    case VP_LIMIT_PROCESSES: which = RLIMIT_NPROC; break;
    default: return -EINVAL;
    }
    struct rlimit limit;
    if (getrlimit(which, &limit) < 0) return -errno;
    if (value < limit.rlim_max) limit.rlim_max = value;
    limit.rlim_cur = limit.rlim_max;
    return result(setrlimit(which, &limit));
}

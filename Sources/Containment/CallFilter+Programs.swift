import CPlatform
import Glibc

extension CallFilter {
    /// The filter of a worker that runs programs of others, and of those programs: what ordinary programs do with files,
    /// memory, threads and processes; no sockets, no namespaces, and nothing that changes files which Landlock does not
    /// watch over (modes, owners, times, attributes). Signals are allowed: the worker's PID namespace has no one else.
    static func programs() -> CallFilter? {
        guard var filter = CallFilter(otherwise: .refuse(ENOSYS)) else { return nil }
        filter.add(.allow, SystemCalls.core)
        filter.add(.allow, SystemCalls.threading)
        filter.add(.allow, SystemCalls.ofPrograms)
        filter.add(.refuse(EPERM), SystemCalls.fatal)
        filter.add(.refuse(EPERM), SystemCalls.refusedToPrograms)
        filter.add(.refuse(ENOTTY), ["ioctl"])
        filter.add(
            .refuse(EOPNOTSUPP), ["getxattr", "lgetxattr", "fgetxattr", "listxattr", "llistxattr", "flistxattr"])
        // Threads and processes, never with a new namespace.
        filter.add(.allow, "clone", argument: 0, mask: 0x7E02_0080, equals: 0)
        // getrlimit only: the pointer to new limits is NULL.
        filter.add(.allow, "prlimit64", argument: 2, mask: .max, equals: 0)
        return filter
    }
}

extension SystemCalls {
    /// Left to programs of others besides the core.
    static let ofPrograms = [
        "access", "arch_prctl", "chdir", "clock_getres", "clock_nanosleep", "close_range", "copy_file_range", "creat",
        "dup2", "dup3", "epoll_create", "epoll_create1", "epoll_ctl", "epoll_pwait", "epoll_wait", "eventfd2", "execve",
        "faccessat", "faccessat2", "fadvise64", "fallocate", "fchdir", "fcntl", "fdatasync", "flock", "fork", "fstatfs",
        "fsync", "ftruncate", "get_robust_list", "getcpu", "getcwd", "getdents64", "getegid", "geteuid", "getgid",
        "getgroups", "getitimer", "getpgid", "getpgrp", "getppid", "getpriority", "getresgid", "getresuid", "getrlimit",
        "getrusage", "getsid", "gettimeofday", "getuid", "kill", "lstat", "membarrier", "mincore", "mkdir", "mkdirat",
        "mlock", "mlock2", "mmap", "mprotect", "msync", "munlock", "nanosleep", "open", "openat", "pause", "pipe",
        "pipe2", "prctl", "preadv", "preadv2", "pselect6", "pwrite64", "pwritev", "pwritev2", "readlink", "readlinkat",
        "readv", "rename", "renameat", "renameat2", "rmdir", "rt_sigpending", "rt_sigsuspend", "rt_sigtimedwait",
        "sched_getparam", "sched_getscheduler", "sched_get_priority_max", "sched_get_priority_min",
        "sched_setaffinity", "select", "sendfile", "setpgid", "setsid", "sigaltstack", "splice", "stat", "statfs",
        "statx", "sysinfo", "tgkill", "time", "timer_create", "timer_delete", "timer_settime", "timerfd_create",
        "timerfd_settime", "times", "tkill", "umask", "uname", "unlink", "unlinkat", "vfork", "wait4", "waitid",
        "writev",
    ]

    /// What programs try in passing and do without.
    static let refusedToPrograms = [
        "socket", "socketpair", "connect", "bind", "listen", "accept4", "sendto", "execveat", "unshare", "chmod",
        "fchmod", "fchmodat", "chown", "fchown", "fchownat", "lchown", "utime", "utimes", "utimensat", "futimesat",
        "setxattr", "lsetxattr", "fsetxattr", "removexattr", "setresuid", "setresgid", "setuid", "setgid", "setgroups",
        "setrlimit", "setpriority", "symlink", "symlinkat", "link", "linkat", "mknod", "mknodat", "truncate",
        "inotify_init1", "fanotify_init", "io_uring_setup", "pidfd_open", "shmget", "memfd_secret",
    ]
}

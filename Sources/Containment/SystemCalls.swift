/// The system calls by what they are for. Names that an architecture does not have are skipped there.
enum SystemCalls {
    /// Left to every worker without a look at the arguments: reading what it was given, memory, answering,
    /// its own alarm clock, and what `abort` needs to end it. A thread that the warm-up started and that has not run yet
    /// makes itself known by `set_robust_list` and `rseq`; the C library ends the process when it cannot by the second.
    static let core = [
        "read", "pread64", "write", "lseek", "close", "dup", "fstat", "newfstatat",
        "munmap", "mremap", "madvise", "brk", "futex",
        "recvmsg", "sendmsg", "poll", "ppoll",
        "clock_gettime", "getrandom", "alarm", "setitimer",
        "rt_sigreturn", "rt_sigprocmask", "restart_syscall", "getpid", "gettid", "exit", "exit_group",
        "set_robust_list", "rseq",
    ]

    /// Left to workers whose library starts threads.
    static let threading = [
        "rt_sigaction", "sched_getaffinity", "sched_yield", "set_tid_address",
    ]

    /// What a profile may name besides: reading folders and links, looking at the machine, pipes to itself.
    private static let reading: Set<String> = [
        "access", "getcwd", "getdents64", "geteuid", "getuid", "readlink", "sigaltstack", "statfs", "statx", "sysinfo",
        "times", "uname", "pipe2",
    ]

    /// What a profile may name that has a private folder.
    static let writing: Set<String> = ["fdatasync", "fsync", "ftruncate", "mkdir", "pwrite64", "rename", "unlink"]

    /// All that a profile may name. Core calls may be named too, which changes nothing.
    static let grantable = Set(core).union(threading).union(reading).union(writing)

    /// Other calls that do the same as a grantable one, and which the C library makes instead of it on some
    /// architectures; granted together with it.
    static let counterparts: [String: [String]] = [
        "access": ["faccessat", "faccessat2"], "readlink": ["readlinkat"], "mkdir": ["mkdirat"],
        "rename": ["renameat", "renameat2"], "unlink": ["unlinkat"],
    ]

    /// No library that draws pictures makes one of these: the attempt is proof of an attack and ends the process.
    static let fatal = [
        "ptrace", "process_vm_readv", "process_vm_writev", "pidfd_getfd", "kexec_load", "kexec_file_load", "bpf",
        "perf_event_open", "userfaultfd", "init_module", "finit_module", "delete_module", "mount", "umount2",
        "pivot_root", "chroot", "setns", "open_by_handle_at", "keyctl", "add_key", "request_key", "reboot", "swapon",
        "swapoff",
    ]

    /// Answered to large programs as if it had been done: NSS, with which LibreOffice deciphers OpenDocument, takes the mode
    /// of a file that it made itself, in the private folder of the worker, for a condition.
    static let pretended = ["chmod", "fchmodat", "fchmodat2"]

    /// What large programs try in passing; those that load libraries are told EPERM, which they can handle.
    static let politelyRefused = [
        "socket", "socketpair", "connect", "bind", "listen", "accept4", "sendto", "execve", "execveat", "kill", "tkill",
        "unshare", "fchmod", "chown", "fchown", "fchownat", "lchown", "setresuid", "setresgid",
        "setuid", "setgid", "setgroups", "vfork", "symlink", "symlinkat", "link", "linkat", "mknod", "mknodat",
        "io_uring_setup",
    ]
}

import CPlatform
import Glibc

extension CallFilter {
    /// The filter of a worker. What it does not allow fails with ENOSYS, so that libraries fall back to what
    /// they do on a kernel that lacks the call.
    static func worker(_ profile: ContainmentProfile) -> CallFilter? {
        guard var filter = CallFilter(otherwise: .refuse(ENOSYS)) else { return nil }
        filter.add(.allow, profile.allowedCalls)
        filter.add(profile.loadsLibraries ? .refuse(EPERM) : .kill, SystemCalls.fatal)
        if profile.loadsLibraries {
            filter.add(.refuse(EPERM), SystemCalls.politelyRefused)
            filter.add(.pretend, SystemCalls.pretended)
        }
        filter.restrictFiles(profile)
        filter.restrictMemory(profile)
        filter.restrictProcesses(profile)
        return filter
    }

    private mutating func restrictFiles(_ profile: ContainmentProfile) {
        // No device is controlled; isatty and the like get the answer that a plain file gives.
        add(.refuse(ENOTTY), ["ioctl"])

        var commands = [F_DUPFD, F_GETFD, F_SETFD, F_GETFL, F_SETFL, Self.duplicateCloseOnExec, Self.getSeals]
        if profile.privateFolder { commands += [F_GETLK, F_SETLK, F_SETLKW] }
        for command in commands { add(.allow, "fcntl", argument: 1, mask: 0xFFFF_FFFF, equals: UInt64(command)) }

        if profile.privateFolder {
            add(.allow, ["openat"])
        } else if profile.read.isEmpty {
            add(.refuse(EACCES), ["openat"])
        } else {
            let writing = [O_WRONLY, O_RDWR, O_CREAT, O_TRUNC, Self.temporaryFile].map { UInt64($0) }
            add(.allow, "openat", argument: 2, mask: writing.reduce(0, |), equals: 0)
            for flag in writing { add(.refuse(EACCES), "openat", argument: 2, mask: flag, equals: flag) }
        }
    }

    private mutating func restrictMemory(_ profile: ContainmentProfile) {
        guard !profile.loadsLibraries else { return add(.allow, ["mmap", "mprotect"]) }
        // What can be written can not be executed, and nothing new becomes executable.
        let executable = UInt64(PROT_EXEC)
        for call in ["mmap", "mprotect"] {
            add(.allow, call, argument: 2, mask: executable, equals: 0)
            add(.refuse(EPERM), call, argument: 2, mask: executable, equals: executable)
        }
    }

    private mutating func restrictProcesses(_ profile: ContainmentProfile) {
        let every = UInt64.max
        // Threads, told from processes by the flags that pthread_create passes; never with a new namespace.
        let thread = UInt64(VP_CLONE_THREAD | VP_CLONE_VM | VP_CLONE_SIGHAND)
        if profile.threads {
            add(.allow, "clone", argument: 0, mask: thread | Self.namespaces, equals: thread)
            add(.refuse(EAGAIN), "clone", argument: 0, mask: UInt64(VP_CLONE_THREAD), equals: 0)
        } else {
            add(.refuse(EAGAIN), ["clone"])
        }
        // Its flags lie in memory where a filter cannot look; the C library falls back to clone.
        add(.refuse(ENOSYS), ["clone3"])
        add(.refuse(EAGAIN), ["fork"])
        // raise() and abort(): signals to itself.
        add(.allow, "tgkill", argument: 0, mask: every, equals: UInt64(getpid()))
        // getrlimit only: the pointer to new limits is NULL.
        add(.allow, "prlimit64", argument: 2, mask: every, equals: 0)
        add(.refuse(EPERM), ["setrlimit"])
        add(.allow, "prctl", argument: 0, mask: 0xFFFF_FFFF, equals: Self.setName)
    }

    // Constants that the Glibc module lacks; the kernel's, the same on x86-64 and aarch64.
    private static let duplicateCloseOnExec: CInt = 1030  // F_DUPFD_CLOEXEC
    private static let getSeals: CInt = 1034  // F_GET_SEALS
    private static let temporaryFile: CInt = 0o20_000_000  // __O_TMPFILE
    private static let setName: UInt64 = 15  // PR_SET_NAME
    /// All CLONE_NEW… flags.
    private static let namespaces: UInt64 = 0x7E02_0080
}

extension ContainmentProfile {
    /// The calls that are allowed whatever their arguments are.
    fileprivate var allowedCalls: Set<String> {
        var all = Set(SystemCalls.core)
        if threads { all.formUnion(SystemCalls.threading) }
        for call in calls {
            all.insert(call)
            all.formUnion(SystemCalls.counterparts[call] ?? [])
        }
        return all
    }
}

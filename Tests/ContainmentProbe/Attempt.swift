import CPlatform
import Glibc

/// Things that a hostile file might make a library do.
enum Attempt {
    /// Makes one.
    /// - Parameters:
    ///   - attempt: a name, with an argument after a colon where it takes one.
    ///   - parent: the process that started this one.
    /// - Returns: 0 when it went through, else the errno.
    static func make(_ attempt: String, parent: pid_t) -> CInt {
        let parts = attempt.split(separator: ":", maxSplits: 1)
        let argument = parts.count == 2 ? String(parts[1]) : ""
        switch parts.first {
        case "open": return answer(open(argument, O_RDONLY))
        case "create": return create(argument)
        case "append": return answer(open(argument, O_WRONLY | O_APPEND))
        case "link": return answer(symlink("/etc/passwd", argument))
        case "unlink": return answer(unlink(argument))
        case "socket": return answer(socket(AF_INET, CInt(1), 0))
        case "local-socket": return answer(socket(AF_UNIX, CInt(2), 0))
        case "fork": return answer(raw("clone", Int(SIGCHLD)))
        case "exec": return answer(execute())
        case "spawn": return spawn()
        case "thread": return thread()
        case "rseq", "set_robust_list": return answer(raw(attempt, 0))
        case "kill": return answer(kill(parent, 0))
        case "chmod": return answer(chmod("/", 0o755))
        case "unshare": return answer(raw("unshare", 0x1000_0000))
        case "uring": return answer(raw("io_uring_setup", 1))
        case "raise-limit": return raiseLimit()
        case "map": return errnoOf(Int(vp_probe_map(UInt64(argument) ?? 0)))
        case "execute-memory": return executableMemory()
        case "ptrace": return answer(raw("ptrace", 0))
        case "abort": abort()
        case "spin": spin()
        case "allocate": return allocate()
        default: return ENOTSUP
        }
    }

    /// Uses processor time with every signal blocked that can be.
    private static func spin() -> Never {
        var all = sigset_t()
        sigfillset(&all)
        sigprocmask(SIG_BLOCK, &all, nil)
        while true { _ = time(nil) }
    }

    static func now() -> Int {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return time.tv_sec * 1_000_000 + time.tv_nsec / 1000
    }

    /// What an allowed call costs: the mean of many.
    static func microsecondsPerCall() -> Double {
        let rounds = 200_000
        let started = now()
        var byte: UInt8 = 0
        for _ in 0..<rounds { _ = pread(0, &byte, 1, 0) }
        return Double(now() - started) / Double(rounds)
    }

    static func print(_ text: String) {
        var rest = Array(text.utf8)[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { write(1, $0.baseAddress, $0.count) }
            guard count > 0 else { exit(3) }
            rest = rest.dropFirst(count)
        }
    }

    private static func answer(_ value: some SignedInteger) -> CInt { value < 0 ? errno : 0 }

    private static func errnoOf(_ value: Int) -> CInt { value < 0 ? CInt(-value) : 0 }

    private static func raw(_ call: String, _ first: Int) -> Int {
        let answer = vp_call(vp_call_number(call), first, 0, 0, 0, 0)
        // The child of a fork that went through says nothing.
        if call == "clone", answer == 0 { _exit(0) }
        if answer < 0 { errno = CInt(-answer) }
        return answer
    }

    private static func create(_ path: String) -> CInt {
        let fd = open(path, O_WRONLY | O_CREAT | O_EXCL, 0o600)
        guard fd >= 0 else { return errno }
        defer { close(fd) }
        return write(fd, "x", 1) == 1 ? 0 : errno
    }

    private static func execute() -> CInt {
        let arguments: [UnsafeMutablePointer<CChar>?] = [nil]
        return execve("/bin/true", arguments, arguments)
    }

    private static func spawn() -> CInt {
        let arguments: [UnsafeMutablePointer<CChar>?] = [strdup("true"), nil]
        defer { free(arguments[0]) }
        var pid: pid_t = 0
        return posix_spawn(&pid, "/bin/true", nil, nil, arguments, nil)
    }

    private static func thread() -> CInt {
        var thread = pthread_t()
        let failure = pthread_create(&thread, nil, { _ in nil }, nil)
        if failure == 0 { pthread_join(thread, nil) }
        return failure
    }

    private static func raiseLimit() -> CInt {
        var limit = rlimit(rlim_cur: 1, rlim_max: 1)
        return answer(setrlimit(__rlimit_resource_t(2), &limit))
    }

    private static func executableMemory() -> CInt {
        let map = mmap(nil, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)
        guard let map, map != MAP_FAILED else { return errno }
        defer { munmap(map, 4096) }
        return answer(mprotect(map, 4096, PROT_READ | PROT_EXEC))
    }

    /// Takes memory until there is no more.
    private static func allocate() -> CInt {
        var kept: [UnsafeMutableRawPointer] = []
        defer { for block in kept { free(block) } }
        for _ in 0..<100_000 {
            guard let block = malloc(16 << 20) else { return errno }
            kept.append(block)
        }
        return 0
    }
}

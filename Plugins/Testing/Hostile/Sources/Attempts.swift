import Glibc

/// Ways out of a worker. Each returns 0 when it was open, else the errno.
enum Attempts {
    static func spawn() -> CInt {
        let name = strdup("true")
        defer { free(name) }
        var pid: pid_t = 0
        return posix_spawn(&pid, "/bin/true", nil, nil, [name, nil], nil)
    }

    static func socket() -> CInt {
        let fd = Glibc.socket(AF_INET, CInt(SOCK_STREAM.rawValue), 0)
        guard fd >= 0 else { return errno }
        close(fd)
        return 0
    }

    static func read(_ path: String) -> CInt {
        let fd = open(path, O_RDONLY | O_NONBLOCK)
        guard fd >= 0 else { return errno }
        defer { close(fd) }
        var byte: UInt8 = 0
        return Glibc.read(fd, &byte, 1) < 0 ? errno : 0
    }

    static func write(_ path: String) -> CInt {
        let fd = open(path, O_WRONLY | O_CREAT, 0o600)
        guard fd >= 0 else { return errno }
        defer { close(fd) }
        return Glibc.write(fd, "x", 1) == 1 ? 0 : errno
    }

    static func executableMemory() -> CInt {
        let size = sysconf(CInt(_SC_PAGESIZE))
        let map = mmap(nil, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)
        guard let map, map != MAP_FAILED else { return errno }
        defer { munmap(map, size) }
        return mprotect(map, size, PROT_READ | PROT_EXEC) == 0 ? 0 : errno
    }
}

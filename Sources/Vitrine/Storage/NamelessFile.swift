import Glibc

/// Files without a name, which go with their last descriptor, whatever ends the process.
enum NamelessFile {
    /// What opens one, beside a mode that writes: `O_TMPFILE`, a composed macro that Swift does not see.
    static let flags = CInt(O_DIRECTORY) | 0o20_000_000  // __O_TMPFILE of the kernel, on x86-64 and on aarch64

    /// Whether an error of ``flags`` says that the file system does not know such files.
    static func isUnknown(_ error: CInt) -> Bool { [EOPNOTSUPP, EISDIR, ENOENT, EINVAL].contains(error) }

    /// Makes one that this user alone can read; programs that are started meanwhile do not inherit it. Where the file system
    /// does not know such files it has a name for a moment.
    /// - Parameter unnamed: whether to try without a name. Default: yes.
    /// - Returns: a descriptor to read and write, which the caller closes; -1 with an `errno`.
    static func open(in folder: String, unnamed: Bool = true) -> CInt {
        if unnamed {
            let descriptor = Glibc.open(folder, O_RDWR | O_CLOEXEC | flags, 0o600)
            if descriptor >= 0 || !isUnknown(errno) { return descriptor }
        }
        let name = "\(folder)/vitrine-\(String(UInt64.random(in: 0...(.max)), radix: 36))"
        let descriptor = Glibc.open(name, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
        if descriptor >= 0 { unlink(name) }
        return descriptor
    }
}

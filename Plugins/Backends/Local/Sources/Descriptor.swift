import Glibc

/// An open file descriptor with one owner; closed with it.
struct Descriptor: ~Copyable, Sendable {
    /// The number for system calls; valid while the owner is held in a variable.
    let number: CInt

    /// A place in the tree that cannot be read through: needs the right to pass a folder, not to list it.
    /// From asm-generic/fcntl.h; Swift's Glibc module lacks it.
    static let place: CInt = 0o10_000_000

    /// Opens a name below a folder.
    /// - Parameters:
    ///   - folder: where a relative name begins; `nil` for absolute names.
    ///   - name: bytes without a NUL.
    ///   - flags: as for `open(2)`; close-on-exec is added.
    /// - Returns: `nil` with `errno` set when it cannot be opened.
    init?(_ name: [UInt8], in folder: CInt? = nil, flags: CInt) {
        let opened = openat(folder ?? AT_FDCWD, name.terminated, flags | O_CLOEXEC | O_NOCTTY)
        guard opened >= 0 else { return nil }
        number = opened
    }

    /// Owns what a system call opened.
    init(taking number: CInt) { self.number = number }

    /// Opens a file for writing, and makes it where it is missing, for this user alone. A link is
    /// not followed.
    /// - Returns: `nil` with `errno` set when it cannot be opened.
    init?(writing name: [UInt8], in folder: CInt, flags: CInt = 0) {
        let all = O_RDWR | O_CREAT | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC | O_NOCTTY | flags
        let opened = openat(folder, name.terminated, all, 0o600)
        guard opened >= 0 else { return nil }
        number = opened
    }

    /// What it is open on.
    func status() -> stat? {
        var status = stat()
        return fstat(number, &status) == 0 ? status : nil
    }

    deinit { close(number) }
}

extension [UInt8] {
    /// The bytes as a C string.
    var terminated: [CChar] {
        [CChar](unsafeUninitializedCapacity: count + 1) { room, filled in
            for byte in self {
                room.initializeElement(at: filled, to: CChar(bitPattern: byte))
                filled += 1
            }
            room.initializeElement(at: filled, to: 0)
            filled += 1
        }
    }
}

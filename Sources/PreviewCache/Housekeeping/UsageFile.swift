import Glibc

/// A small file beside the previews that says how much space Vitrine's entries take, kept up by all processes that
/// store something and counted afresh by each collection.
///
/// It is an estimate that errs to the large side, but for ``RoomAhead``: what other programs delete is noticed by the next count.
struct UsageFile: Sendable {
    /// What the file says.
    struct Usage: Hashable {
        /// Bytes, in whole blocks.
        var bytes: Int64
        /// When it was last counted, in seconds since 1970.
        var counted: Int64
    }

    /// The folder of the own store.
    let folder: String
    private var path: String { folder + "/usage" }
    /// Two numbers of fixed width, so that a later text always covers an earlier one.
    private static let length = 42
    /// Milliseconds to wait for another process; each holds the lock for microseconds.
    private static let patience = 500

    /// What the file says; `nil` when nothing was counted yet.
    func read() -> Usage? {
        let fd = open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
        guard fd >= 0 else { return nil }
        defer { close(fd) }
        return Self.parse(fd)
    }

    /// Reads, changes and writes it while nobody else does.
    /// - Parameter change: what to do; it sees `nil` when nothing was counted yet.
    /// - Returns: what `change` returned; `nil` when the file cannot be written, or lies behind a link of another user.
    @discardableResult
    func update<R>(_ change: (inout Usage?) -> R) -> R? {
        guard LinkedFolder.isFine(folder, in: folder) else { return nil }
        var fd = openForUpdate()
        if fd < 0, errno == ENOENT {
            guard (try? Folder.make(folder)) != nil else { return nil }
            fd = openForUpdate()
        }
        guard fd >= 0 else { return nil }
        defer { close(fd) }
        // Whoever was stopped while it held the lock must not stop everybody else.
        var rest = Self.patience
        while flock(fd, LOCK_EX | LOCK_NB) != 0 {
            guard errno == EWOULDBLOCK || errno == EINTR, rest > 0 else { return nil }
            poll(nil, 0, 1)
            rest -= 1
        }
        let before = Self.parse(fd)
        var usage = before
        let result = change(&usage)
        guard let usage, usage != before else { return result }
        let text = Array((Self.padded(usage.bytes) + " " + Self.padded(usage.counted) + "\n").utf8)
        return pwrite(fd, text, text.count, 0) == text.count ? result : nil
    }

    private func openForUpdate() -> CInt {
        open(path, O_RDWR | O_CREAT | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC, 0o600)
    }

    private static func padded(_ number: Int64) -> String {
        let digits = String(max(0, number))
        return String(repeating: "0", count: 20 - digits.count) + digits
    }

    private static func parse(_ fd: CInt) -> Usage? {
        var room = [UInt8](repeating: 0, count: length)
        guard pread(fd, &room, length, 0) == length, room.last == UInt8(ascii: "\n") else { return nil }
        let numbers = room.dropLast().split(separator: UInt8(ascii: " ")).map {
            Int64(String(decoding: $0, as: UTF8.self))
        }
        guard numbers.count == 2, let bytes = numbers[0], let counted = numbers[1], bytes >= 0, counted >= 0 else {
            return nil
        }
        return Usage(bytes: bytes, counted: counted)
    }
}

import Glibc

/// Sees to it that one process at a time collects.
final class CollectionLock {
    private let descriptor: CInt

    /// Waits for its turn, at most a minute: a process that was stopped in the middle must not stop all others, and two
    /// that delete the same do no harm.
    /// - Parameter folder: a store as a whole.
    /// - Returns: `nil` when the folder cannot be written to, is not there, or lies behind a link of another user.
    init?(_ folder: String) {
        guard LinkedFolder.isFine(folder, in: folder) else { return nil }
        let descriptor = open(folder + "/collecting", O_RDWR | O_CREAT | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { return nil }
        self.descriptor = descriptor
        var rest = 6000
        while flock(descriptor, LOCK_EX | LOCK_NB) != 0, rest > 0 {
            poll(nil, 0, 10)
            rest -= 1
        }
    }

    deinit { close(descriptor) }
}

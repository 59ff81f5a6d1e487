import CGIO
import Glibc
import VitrineKit

/// Keeps other processes from changing a file at the same time, until it is gone.
final class FileLock: Sendable {
    private let fd: CInt

    /// Waits for its turn. That of a file is short. That of a log-in lasts as long as a server takes to answer, or a user
    /// whom the keyring asks: who waits for it has a patience.
    /// - Parameters:
    ///   - path: the file; the lock lies beside it.
    ///   - patience: seconds after which it is given up. Default: as long as it takes.
    init(beside path: String, patience: Int? = nil) throws(PluginError) {
        let folder = String(path[..<(path.lastIndex(of: "/") ?? path.startIndex)])
        guard g_mkdir_with_parents(folder, 0o700) == 0 else {
            throw PluginError(errno: errno, "the folder '\(DisplayText.of(folder))' cannot be made")
        }
        let fd = open(path + ".lock", O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard fd >= 0 else { throw PluginError(errno: errno, "'\(DisplayText.of(path))' cannot be locked") }
        self.fd = fd
        if let patience {
            try Self.wait(for: fd, patience, path)
            return
        }
        while flock(fd, LOCK_EX) != 0 {
            // Whoever throws here is destroyed, which closes the file.
            if errno != EINTR { throw PluginError(errno: errno, "'\(DisplayText.of(path))' cannot be locked") }
        }
    }

    /// The system tells nobody that a lock is free by now, with an end to the wait: it is asked again.
    private static func wait(for fd: CInt, _ patience: Int, _ path: String) throws(PluginError) {
        let deadline = ContinuousClock.now + .seconds(patience)
        while flock(fd, LOCK_EX | LOCK_NB) != 0 {
            guard errno == EWOULDBLOCK || errno == EINTR else {
                throw PluginError(errno: errno, "'\(DisplayText.of(path))' cannot be locked")
            }
            guard ContinuousClock.now < deadline else {
                throw PluginError(
                    .offline,
                    "another process has held '\(DisplayText.of(path))' for \(patience) s; answer the keyring if it asks "
                        + "for its password, or end that process")
            }
            poll(nil, 0, 20)
        }
    }

    deinit { close(fd) }
}

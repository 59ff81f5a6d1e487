import CGIO
import Glibc
import VitrineKit

/// Keeps other processes from changing a file at the same time, until it is gone.
final class FileLock {
    private let fd: CInt

    /// Waits for its turn, which is short: nobody holds the lock while a user is asked.
    /// - Parameter path: the file; the lock lies beside it.
    init(beside path: String) throws(PluginError) {
        let folder = String(path[..<(path.lastIndex(of: "/") ?? path.startIndex)])
        guard g_mkdir_with_parents(folder, 0o700) == 0 else {
            throw PluginError(errno: errno, "the folder '\(DisplayText.of(folder))' cannot be made")
        }
        let fd = open(path + ".lock", O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard fd >= 0 else { throw PluginError(errno: errno, "'\(DisplayText.of(path))' cannot be locked") }
        self.fd = fd
        while flock(fd, LOCK_EX) != 0 {
            // Whoever throws here is destroyed, which closes the file.
            if errno != EINTR { throw PluginError(errno: errno, "'\(DisplayText.of(path))' cannot be locked") }
        }
    }

    deinit { close(fd) }
}

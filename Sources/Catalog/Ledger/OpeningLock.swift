import Glibc
import Timing
import VitrineKit

/// Keeps processes from replacing a catalog that others open at this moment, or have just replaced themselves.
///
/// A file beside the catalog that is locked as flock(2) does it, so that it goes with its process. Who opens a catalog
/// shares it until SQLite has its companions open, which it finds by their names: of a file that is replaced in between
/// they would be those of the new one.
enum OpeningLock {
    /// How a lock is held.
    enum Kind {
        /// With others that open the catalog.
        case shared
        /// Alone, to judge it and to put another one in its place.
        case alone
    }

    /// Longer than two statements of who opens a catalog wait for others, one after the other: see ``Catalog/patience``.
    private static let patience = Duration.seconds(70)
    /// Between two attempts, in microseconds.
    private static let pause: UInt32 = 5000

    /// Does something with the lock in hand; waits for it for some seconds.
    /// - Parameter catalog: the catalog's path; its folder is there.
    /// - Throws: `busy` when another process keeps it all the time, and why it cannot be made. One that is to be shared need
    ///   not be there: on a full disk there may be none, and the catalog can be read all the same.
    static func hold<Answer>(
        _ kind: Kind, beside catalog: String, _ body: () throws(PluginError) -> Answer
    ) throws(PluginError) -> Answer {
        let folder = catalog + ".locks"
        if mkdir(folder, 0o700) != 0, errno != EEXIST, kind == .alone {
            throw PluginError(errno: errno, "the folder '\(DisplayText.of(folder))' for locks cannot be made")
        }
        let path = folder + "/opening"
        let descriptor = open(path, O_RDWR | O_CREAT | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else {
            if kind == .shared { return try body() }
            throw PluginError(errno: errno, "the lock '\(DisplayText.of(path))' cannot be opened")
        }
        defer { close(descriptor) }
        let operation = (kind == .alone ? LOCK_EX : LOCK_SH) | LOCK_NB
        let end = Moment.now + patience
        while flock(descriptor, operation) != 0 {
            let reason = errno
            if reason == EINTR { continue }
            guard reason == EWOULDBLOCK else {
                // Some network file systems know no locks.
                if kind == .shared { break }
                throw PluginError(errno: reason, "the lock '\(DisplayText.of(path))' cannot be taken")
            }
            guard Moment.now < end else {
                throw PluginError(
                    .busy,
                    "the catalog '\(DisplayText.of(catalog))' is kept locked by another program that opens it; end that "
                        + "program, or try again later")
            }
            usleep(pause)
        }
        return try body()
    }
}

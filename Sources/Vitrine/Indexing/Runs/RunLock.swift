import CPlatform
import Glibc
import VitrineKit

/// Keeps two runs from working on one source at a time, in whatever processes they are.
///
/// A lock is a file beside the catalog that is locked as flock(2) does it: it goes with its process, however that
/// ends. Its content tells others how far the run has come.
final class RunLock: Sendable {
    private let descriptor: CInt

    /// How far the run that holds a lock has come.
    struct Holder: Hashable, Sendable {
        var process: Int32
        var done: Int
        var found: Int
        var foundAll: Bool
    }

    /// What came of an attempt.
    enum Attempt: Sendable {
        case taken(RunLock)
        /// Another run has it. Its holder may not have said anything yet.
        case busy(Holder?)
    }

    private init(_ descriptor: CInt) { self.descriptor = descriptor }

    deinit {
        // So that nobody takes this run for the next one, which has the lock before it says so.
        ftruncate(descriptor, 0)
        close(descriptor)
    }

    /// Tries to take a lock.
    /// - Parameters:
    ///   - catalog: the catalog's path; locks lie in a folder beside it.
    ///   - source: the URI of a source of the catalog.
    static func take(beside catalog: String, source: String) throws(PluginError) -> Attempt {
        let folder = catalog + ".locks"
        if mkdir(folder, 0o700) != 0, errno != EEXIST {
            throw PluginError(errno: errno, "the folder '\(DisplayText.of(folder))' for locks cannot be made")
        }
        let path = "\(folder)/\(String(vp_hash64(source, source.utf8.count), radix: 16))"
        let descriptor = open(path, O_RDWR | O_CREAT | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else {
            throw PluginError(errno: errno, "the lock '\(DisplayText.of(path))' cannot be opened")
        }
        while flock(descriptor, LOCK_EX | LOCK_NB) != 0 {
            if errno == EINTR { continue }
            let reason = errno
            let holder = read(descriptor)
            close(descriptor)
            guard reason == EWOULDBLOCK else {
                throw PluginError(errno: reason, "the lock '\(DisplayText.of(path))' cannot be taken")
            }
            return .busy(holder)
        }
        let lock = RunLock(descriptor)
        lock.tell(Holder(process: getpid(), done: 0, found: 0, foundAll: false))
        return .taken(lock)
    }

    /// Tells others how far this run has come. They need not hear of every step, nor rely on it.
    func tell(_ holder: Holder) {
        let text = "\(holder.process) \(holder.done) \(holder.found) \(holder.foundAll ? 1 : 0) "
        // Of one length, so that no end of an older text is left.
        let line =
            Array(text.utf8) + [UInt8](repeating: UInt8(ascii: " "), count: max(0, Self.length - text.utf8.count))
        _ = pwrite(descriptor, line, Self.length, 0)
    }

    private static let length = 96

    private static func read(_ descriptor: CInt) -> Holder? {
        var bytes = [UInt8](repeating: 0, count: length)
        let count = pread(descriptor, &bytes, length, 0)
        guard count == length else { return nil }
        let numbers = String(decoding: bytes, as: UTF8.self).split(separator: " ").compactMap { Int($0) }
        guard numbers.count == 4, let process = Int32(exactly: numbers[0]) else { return nil }
        return Holder(process: process, done: numbers[1], found: numbers[2], foundAll: numbers[3] == 1)
    }
}

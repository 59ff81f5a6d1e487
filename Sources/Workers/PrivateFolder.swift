import CPlatform
import Glibc
import VitrineKit

/// A folder that belongs to one worker and goes with it.
///
/// All lie in `$TMPDIR/vitrine-<uid>/` and are named `<pid of the host>-<random>`, so that nobody can guess a name. Its
/// host holds a lock on it, flock(2), for as long as it lives: what can be locked was left behind. A pid alone would not
/// say so, since hosts in other PID namespaces, such as containers, may share the place.
final class PrivateFolder: Sendable {
    let path: String
    /// The folder itself, locked.
    private let fd: CInt

    /// Makes an empty folder that only the worker can use.
    /// - Parameter place: where. Default: the folder of all private folders.
    init(in place: String? = nil) throws(PluginError) {
        let parent = if let place { place } else { try Self.parent() }
        // Another host may sweep it away before it is locked; not again and again.
        for _ in 0..<8 {
            let path = "\(parent)/\(getpid())-\(String(UInt64.random(in: 0 ... .max), radix: 16))"
            guard mkdir(path, 0o700) == 0 else {
                throw PluginError(errno: errno, "cannot make the worker's folder '\(path)'")
            }
            guard let fd = Self.lock(path, unlessUnknown: true) else { continue }
            // As root the worker becomes nobody before it touches anything. Where the user namespace knows no nobody it
            // stays who it is, and so does the folder.
            if geteuid() == 0, fchown(fd, Self.nobody, Self.nobody) != 0, errno != EINVAL {
                let reason = errno
                close(fd)
                throw PluginError(errno: reason, "cannot hand the folder '\(path)' to the worker")
            }
            self.path = path
            self.fd = fd
            return
        }
        throw PluginError(.io, "cannot lock a folder for a worker in '\(parent)'; set TMPDIR to another place")
    }

    deinit {
        remove()
        close(fd)
    }

    /// Removes it with all that is in it, once the worker is gone. Later calls do nothing.
    func remove() { _ = vp_remove_tree(path) }

    /// Opens and locks a folder.
    /// - Parameter unlessUnknown: does without the lock where the file system knows none. Default: no.
    /// - Returns: its descriptor; `nil` when it is somebody else's or no longer there.
    private static func lock(_ path: String, unlessUnknown: Bool = false) -> CInt? {
        let fd = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
        guard fd >= 0 else { return nil }
        var (mine, there) = (stat(), stat())
        // Who locked it before may have removed it meanwhile.
        guard flock(fd, LOCK_EX | LOCK_NB) == 0 || (unlessUnknown && errno != EWOULDBLOCK), fstat(fd, &mine) == 0,
            lstat(path, &there) == 0,
            mine.st_dev == there.st_dev, mine.st_ino == there.st_ino
        else {
            close(fd)
            return nil
        }
        return fd
    }

    private static let nobody: uid_t = 65534

    /// `$TMPDIR`, or `/tmp` when there is none. Root's own may be closed to others, nobody's workers among them.
    private static var base: String {
        guard let named = getenv("TMPDIR").flatMap({ realpath($0, nil) }) else { return "/tmp" }
        defer { free(named) }
        let path = String(cString: named)
        return geteuid() != 0 || letsEverybodyPass(path) ? path : "/tmp"
    }

    private static func letsEverybodyPass(_ path: String) -> Bool {
        var status = stat()
        guard stat(path, &status) == 0, status.st_mode & S_IXOTH != 0 else { return false }
        guard path.count > 1, let slash = path.lastIndex(of: "/") else { return true }
        return letsEverybodyPass(slash == path.startIndex ? "/" : String(path[..<slash]))
    }

    /// The folder of all private folders. Made when missing; refused when somebody else could have made it.
    private static func parent() throws(PluginError) -> String {
        let path = base + "/vitrine-\(geteuid())"
        // Root's workers run as nobody and must be able to pass through.
        let mode: mode_t = geteuid() == 0 ? 0o711 : 0o700
        if mkdir(path, mode) == 0 {
            chmod(path, mode)
        } else if errno != EEXIST {
            throw PluginError(
                errno: errno, "cannot make the folder '\(path)' for workers; set TMPDIR to one that works")
        }
        var status = stat()
        guard lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFDIR, status.st_uid == geteuid(),
            status.st_mode & 0o022 == 0
        else {
            throw PluginError(
                .forbidden, "'\(path)' is not a folder of this user alone; remove it, or set TMPDIR to another place")
        }
        return path
    }

    /// Makes a folder and removes it again, to see whether that works.
    /// - Returns: the folder of all private folders.
    static func check() throws(PluginError) -> String {
        _ = try PrivateFolder()
        return try parent()
    }

    /// Removes the folders of hosts that are no longer there. Where the file system knows no locks, they stay.
    /// - Parameter place: where. Default: the folder of all private folders.
    static func removeAbandoned(in place: String? = nil) {
        guard let parent = place ?? (try? parent()), let folder = opendir(parent) else { return }
        defer { closedir(folder) }
        while let entry = readdir(folder) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) {
                $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            let parts = name.split(separator: "-")
            guard parts.count == 2, pid_t(parts[0]) != nil, UInt64(parts[1], radix: 16) != nil else { continue }
            let path = "\(parent)/\(name)"
            guard let fd = lock(path) else { continue }
            _ = vp_remove_tree(path)
            close(fd)
        }
    }
}

import FileBytes
import Glibc
import Library
import Synchronization
import VitrineKit

/// A file that is being written and has no name before it is whole.
///
/// Where the file system knows files without names (`O_TMPFILE`), nothing is left of it whatever ends the process.
/// Elsewhere it has a hidden name meanwhile, which the next copy into the same folder removes if nobody holds its lock.
/// Used by one thread at a time; calls block.
final class CollectionFile: Sendable {
    private let folder: String
    private let descriptor: CInt
    /// The name meanwhile, where there has to be one.
    private let temporary: Mutex<String?>

    /// Space that is left free on the disk, whatever is copied: 16 MiB.
    static let reserve: Int64 = 16 << 20
    private static let prefix = ".vitrine-copy-"
    /// Seconds for which an unlocked file may be one that is just made.
    private static let freshness: UInt = 60

    /// Makes an empty file that only the user can read.
    /// - Parameters:
    ///   - folder: made when it is not there.
    ///   - unnamed: whether to try without a name. Default: yes.
    init(in folder: String, unnamed: Bool = true) throws(PluginError) {
        self.folder = folder
        try LibraryPlace.make(folder)
        Self.removeLeftovers(in: folder)
        if unnamed {
            let fd = open(folder, O_WRONLY | O_CLOEXEC | NamelessFile.flags, 0o600)
            if fd >= 0 {
                descriptor = fd
                temporary = Mutex(nil)
                return
            }
            guard NamelessFile.isUnknown(errno) else { throw Self.failure(errno, folder) }
        }
        let path = "\(folder)/\(Self.prefix)\(getpid())-\(String(UInt64.random(in: 0 ... .max), radix: 16))"
        let fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
        guard fd >= 0 else { throw Self.failure(errno, folder) }
        // It goes with the process, however that ends and whoever sees it: numbers of processes are given again, and mean
        // nothing in another container or on another machine.
        _ = flock(fd, LOCK_EX | LOCK_NB)
        descriptor = fd
        temporary = Mutex(path)
    }

    deinit {
        close(descriptor)
        if let path = temporary.withLock({ $0 }) { unlink(path) }
    }

    /// Whether a file of this many bytes more fits, with ``reserve`` left.
    func check(room bytes: Int64) throws(PluginError) {
        var status = statvfs()
        guard fstatvfs(descriptor, &status) == 0 else { return }
        let free = Int64(clamping: status.f_bavail.multipliedReportingOverflow(by: UInt(status.f_frsize)).partialValue)
        guard bytes <= free - Self.reserve else { throw Self.failure(ENOSPC, folder) }
    }

    /// Appends bytes.
    func write(_ bytes: [UInt8]) throws(PluginError) {
        if let failure = FileBytes.write(bytes, to: descriptor) { throw Self.failure(failure, folder) }
    }

    /// Waits until the bytes are on the disk. Network file systems say only here that it is full.
    func flush() throws(PluginError) {
        guard fsync(descriptor) == 0 else { throw Self.failure(errno, folder) }
    }

    /// Gives the file the first free name. No file is ever replaced.
    /// - Returns: its path.
    func place(_ name: CollectionFileName) throws(PluginError) -> String {
        for number in 0...NumberedName.maximumNumber {
            let path = "\(folder)/\(name.text(number))"
            if link(to: path) {
                flushFolder()
                return path
            }
            guard errno == EEXIST else { throw Self.failure(errno, folder) }
        }
        throw PluginError(
            .limitExceeded,
            "there are more than \(NumberedName.maximumNumber) files called '\(name.text(0))' in '\(DisplayText.of(folder))'"
        )
    }

    /// Keeps the name over a power cut. Not every file system can; the bytes are on the disk in any case.
    private func flushFolder() {
        let fd = open(folder, O_RDONLY | CInt(O_DIRECTORY) | O_CLOEXEC)
        guard fd >= 0 else { return }
        fsync(fd)
        close(fd)
    }

    private func link(to path: String) -> Bool {
        guard let hidden = temporary.withLock({ $0 }) else {
            return linkat(AT_FDCWD, "/proc/self/fd/\(descriptor)", AT_FDCWD, path, AT_SYMLINK_FOLLOW) == 0
        }
        var isPlaced = Glibc.link(hidden, path) == 0
        if isPlaced {
            unlink(hidden)
        } else if errno == EPERM || errno == EOPNOTSUPP {
            // No links here, as on memory cards: an empty file reserves the name.
            let reserved = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
            guard reserved >= 0 else { return false }
            close(reserved)
            isPlaced = rename(hidden, path) == 0
            if !isPlaced {
                let reason = errno
                unlink(path)
                errno = reason
            }
        }
        if isPlaced { temporary.withLock { $0 = nil } }
        return isPlaced
    }

    private static func removeLeftovers(in folder: String) {
        guard let stream = opendir(folder) else { return }
        defer { closedir(stream) }
        while let entry = readdir(stream) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) {
                $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            guard name.hasPrefix(prefix) else { continue }
            let path = "\(folder)/\(name)"
            let descriptor = open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
            guard descriptor >= 0 else { continue }
            defer { close(descriptor) }
            var status = stat()
            // One that was made a moment ago may not be locked yet; where there are no locks, it is never known.
            guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG,
                time(nil).subtractingReportingOverflow(status.st_mtim.tv_sec).partialValue.magnitude > freshness,
                flock(descriptor, LOCK_EX | LOCK_NB) == 0
            else { continue }
            unlink(path)
        }
    }

    private static func failure(_ reason: CInt, _ folder: String) -> PluginError {
        let clause = "cannot write a copy into '\(DisplayText.of(folder))'"
        switch reason {
        case ENOSPC, EDQUOT, EFBIG:
            return PluginError(.noSpace, "\(clause): there is not enough space; nothing was left there")
        default: return PluginError(errno: reason, clause)
        }
    }
}

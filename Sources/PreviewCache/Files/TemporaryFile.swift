import Glibc
import VitrineKit

/// A new file under a name of its own, which either takes an entry's place as a whole or goes away.
///
/// Not flushed to the disk: after a power cut an entry may be missing or cut short, which a reader notices, and
/// is made again. Flushing each would cost more than rendering it.
struct TemporaryFile: ~Copyable {
    private let path: String
    private var descriptor: CInt

    /// Makes an empty file that only the user can read.
    /// - Parameter folder: where; made, with its parents, when it is not there.
    init(in folder: String) throws(PluginError) {
        // Random, so that processes of different containers that share a home do not meet.
        let path = "\(folder)/\(TemporaryName.new())"
        // O_EXCL also refuses a link that somebody put there.
        let flags = O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC
        var descriptor = open(path, flags, 0o600)
        for _ in 0..<Folder.attempts where descriptor < 0 && errno == ENOENT {
            try Folder.make(folder)
            descriptor = open(path, flags, 0o600)
        }
        guard descriptor >= 0 else {
            throw PluginError(cacheErrno: errno, "cannot make the file '\(DisplayText.of(path))' in the cache")
        }
        self.path = path
        self.descriptor = descriptor
        // The mask of the process may have taken away more than the standard wants.
        fchmod(descriptor, 0o600)
    }

    /// Appends bytes.
    func write(_ bytes: ArraySlice<UInt8>) throws(PluginError) {
        var done = 0
        while done < bytes.count {
            let written = bytes.withUnsafeBytes { buffer in
                Glibc.write(descriptor, buffer.baseAddress.map { $0 + done }, buffer.count - done)
            }
            if written < 0, errno == EINTR { continue }
            guard written > 0 else { throw failure(written < 0 ? errno : ENOSPC) }
            done += written
        }
    }

    /// Gives the file its name, in place of what has that name.
    /// - Parameter entry: on the same file system; its folder is made when it is not there.
    mutating func commit(to entry: String) throws(PluginError) {
        // Network file systems report a full disk only here.
        let closed = close(descriptor)
        descriptor = -1
        guard closed == 0 || errno == EINTR else {
            let reason = errno
            unlink(path)
            throw failure(reason)
        }
        do throws(PluginError) {
            // Housekeeping may delete the folder again while it is still empty.
            for _ in 0..<Folder.attempts {
                if rename(path, entry) == 0 { return }
                guard errno == ENOENT else { break }
                try Folder.make(Path.parent(entry))
            }
            guard rename(path, entry) == 0 else { throw renaming(entry, errno) }
        } catch {
            unlink(path)
            throw error
        }
    }

    private func failure(_ reason: CInt) -> PluginError {
        PluginError(cacheErrno: reason, "cannot write '\(DisplayText.of(path))' in the cache")
    }

    private func renaming(_ entry: String, _ reason: CInt) -> PluginError {
        PluginError(cacheErrno: reason, "cannot put a preview at '\(DisplayText.of(entry))'")
    }

    deinit {
        guard descriptor >= 0 else { return }
        close(descriptor)
        unlink(path)
    }
}

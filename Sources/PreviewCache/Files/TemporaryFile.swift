import CPlatform
import Glibc
import VitrineKit

/// A new file under a name of its own, which either takes an entry's place as a whole or goes away.
///
/// Not flushed to the disk: after a power cut an entry may be missing or cut short, which a reader notices, and
/// is made again. Flushing each would cost more than rendering it.
struct TemporaryFile: ~Copyable {
    private let path: String
    private var descriptor: CInt
    /// Whether it has an entry's name, and stays.
    private var isNamed = false

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
            throw PluginError(cacheErrno: errno, "cannot make a file in the cache's folder '\(DisplayText.of(folder))'")
        }
        self.path = path
        self.descriptor = descriptor
        // The mask of the process may have taken away more than the standard wants. To look costs less than to set.
        var status = stat()
        if fstat(descriptor, &status) != 0 || status.st_mode & 0o7777 != 0o600 { fchmod(descriptor, 0o600) }
    }

    /// Appends bytes, those of all parts with one call of the system where it takes them at once.
    func write(_ parts: [ArraySlice<UInt8>]) throws(PluginError) {
        var rest = parts.drop { $0.isEmpty }
        while !rest.isEmpty {
            var written = withUnsafeTemporaryAllocation(of: iovec.self, capacity: rest.count) { places in
                Self.withBuffers(of: rest, in: places) { writev(descriptor, places.baseAddress, CInt($0)) }
            }
            if written < 0, errno == EINTR { continue }
            guard written > 0 else { throw failure(written < 0 ? errno : ENOSPC) }
            while let first = rest.first, written >= first.count {
                written -= first.count
                rest.removeFirst()
            }
            if written > 0 { rest[rest.startIndex].removeFirst(written) }
        }
    }

    /// Tells where some arrays lie in memory, for as long as `body` takes, which is given their number.
    private static func withBuffers<R>(
        of parts: ArraySlice<ArraySlice<UInt8>>, in places: UnsafeMutableBufferPointer<iovec>, _ known: Int = 0,
        _ body: (Int) -> R
    ) -> R {
        guard let first = parts.first else { return body(known) }
        return first.withUnsafeBytes { bytes in
            places.initializeElement(
                at: known,
                to: iovec(iov_base: UnsafeMutableRawPointer(mutating: bytes.baseAddress), iov_len: bytes.count))
            return withBuffers(of: parts.dropFirst(), in: places, known + 1, body)
        }
    }

    /// Gives the file its name, if nothing has that name yet.
    /// - Returns: false when something has it, or the system cannot tell: then ``commit(to:)`` is the way.
    mutating func commit(toNew entry: String) throws(PluginError) -> Bool {
        try end()
        isNamed = vp_rename_new(path, entry) == 0
        return isNamed
    }

    /// Gives the file its name, in place of what has that name.
    /// - Parameter entry: on the same file system; its folder is made when it is not there.
    mutating func commit(to entry: String) throws(PluginError) {
        try end()
        // Housekeeping may delete the folder again while it is still empty.
        for _ in 0..<Folder.attempts {
            isNamed = rename(path, entry) == 0
            if isNamed { return }
            guard errno == ENOENT else { break }
            try Folder.make(Path.parent(entry))
        }
        isNamed = rename(path, entry) == 0
        guard isNamed else { throw renaming(entry, errno) }
    }

    /// Nothing is appended any more.
    private mutating func end() throws(PluginError) {
        guard descriptor >= 0 else { return }
        // Network file systems report a full disk only here.
        let closed = close(descriptor)
        descriptor = -1
        guard closed == 0 || errno == EINTR else { throw failure(errno) }
    }

    private func failure(_ reason: CInt) -> PluginError {
        PluginError(
            cacheErrno: reason, "cannot write a file in the cache's folder '\(DisplayText.of(Path.parent(path)))'")
    }

    private func renaming(_ entry: String, _ reason: CInt) -> PluginError {
        PluginError(cacheErrno: reason, "cannot put a preview at '\(DisplayText.of(entry))'")
    }

    deinit {
        if descriptor >= 0 { close(descriptor) }
        if !isNamed { unlink(path) }
    }
}

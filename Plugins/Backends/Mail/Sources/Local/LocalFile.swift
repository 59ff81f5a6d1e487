import Glibc
import VitrineKit

/// A regular file of this machine, open for reading. Calls block.
final class LocalFile: Sendable {
    private let descriptor: CInt
    let path: [UInt8]
    /// When it was last changed, and which file it is.
    struct State: Hashable, Sendable {
        var size: Int64
        var modified: Timestamp
        var inode: UInt64
    }

    /// Opens it, if it is a file and no link, pipe or device.
    init(_ path: [UInt8], followsLinks: Bool = false) throws(PluginError) {
        let flags = O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY | (followsLinks ? 0 : O_NOFOLLOW)
        descriptor = Glibc.open(path.map { CChar(bitPattern: $0) } + [0], flags)
        self.path = path
        guard descriptor >= 0 else { throw PluginError(errno: errno, "cannot open '\(DisplayText.of(path))'") }
        var status = Glibc.stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            throw PluginError(.notAFile, "'\(DisplayText.of(path))' is no regular file")
        }
    }

    deinit { if descriptor >= 0 { close(descriptor) } }

    /// What it is now.
    var state: State {
        get throws(PluginError) {
            var status = Glibc.stat()
            guard fstat(descriptor, &status) == 0 else {
                throw PluginError(errno: errno, "cannot look at '\(DisplayText.of(path))'")
            }
            return State(
                size: Int64(status.st_size),
                modified: Timestamp(
                    seconds: Int64(status.st_mtim.tv_sec), nanoseconds: UInt32(clamping: status.st_mtim.tv_nsec)),
                inode: UInt64(status.st_ino))
        }
    }

    /// Reads a range; less only at the end.
    func read(at offset: Int64, count: Int) throws(PluginError) -> [UInt8] {
        try OpenDescriptor.read(
            descriptor, at: offset, count: count, failing: "cannot read '\(DisplayText.of(path))'")
    }
}

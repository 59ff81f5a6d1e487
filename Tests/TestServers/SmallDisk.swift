import Glibc
public import VitrineKit

/// A file system of a few megabytes in memory, mounted on a folder while a test needs it. Only root can.
public final class SmallDisk: Sendable {
    /// Where it is.
    public let path: String

    /// Whether this user may mount anything.
    public static var isAllowed: Bool { geteuid() == 0 }

    /// Mounts it.
    /// - Parameters:
    ///   - path: a folder that is there.
    ///   - mebibytes: how much fits in.
    ///   - isReadOnly: whether nothing can be written to it. Default: no.
    public init(on path: String, mebibytes: Int, isReadOnly: Bool = false) throws(PluginError) {
        self.path = path
        let flags = isReadOnly ? UInt(MS_RDONLY) : 0
        guard mount("tmpfs", path, "tmpfs", flags, "size=\(mebibytes)m,mode=0777") == 0 else {
            throw PluginError(errno: errno, "cannot mount a disk of \(mebibytes) MiB on '\(path)'")
        }
    }

    deinit { umount2(path, CInt(MNT_DETACH)) }
}

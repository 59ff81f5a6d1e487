import Glibc
import VitrineKit

/// Where disks are mounted.
enum FileSystemRoot {
    /// Whether a folder is where a disk is mounted.
    ///
    /// Compares the device of a folder with that of the one above it, as mountpoint(1) does.
    static func isMountPoint(_ path: [UInt8]) -> Bool {
        guard let own = status(path), let above = status(path + Array("/..".utf8)) else { return false }
        return own.st_dev != above.st_dev || own.st_ino == above.st_ino
    }

    /// The number of the file system that a path lies on, as `Entry.volume` has it; `nil` when it cannot be looked at.
    static func volume(of path: [UInt8]) -> UInt64? { status(path).map { UInt64($0.st_dev) } }

    private static func status(_ path: [UInt8]) -> stat? {
        var status = stat()
        let name = path.map { CChar(bitPattern: $0) } + [0]
        return stat(name, &status) == 0 ? status : nil
    }
}

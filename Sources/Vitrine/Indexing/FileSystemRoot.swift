import Glibc
import VitrineKit

/// Where disks are mounted.
enum FileSystemRoot {
    /// Whether a folder is where a disk is mounted.
    ///
    /// Compares the device of a folder with that of the one above it, as mountpoint(1) does.
    static func isMountPoint(_ path: [UInt8]) -> Bool {
        func device(_ path: [UInt8]) -> (dev_t, ino_t)? {
            var status = stat()
            let name = path.map { CChar(bitPattern: $0) } + [0]
            return stat(name, &status) == 0 ? (status.st_dev, status.st_ino) : nil
        }
        guard let own = device(path), let above = device(path + Array("/..".utf8)) else { return false }
        return own.0 != above.0 || own.1 == above.1
    }
}

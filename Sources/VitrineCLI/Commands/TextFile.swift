import Glibc
import VitrineKit

/// Texts from and to open files.
enum TextFile {
    /// Writes all of it.
    /// - Returns: what is in the way, as `errno` has it; `nil` when nothing is.
    static func write(_ bytes: [UInt8], to fd: CInt) -> CInt? {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Glibc.write(fd, $0.baseAddress, $0.count) }
            let failure = errno
            if count < 0, failure == EINTR { continue }
            guard count > 0 else { return count == 0 ? EIO : failure }
            rest = rest.dropFirst(count)
        }
        return nil
    }

    /// Reads to the end.
    /// - Throws: `invalidArgument` when there are more bytes than `limit`.
    static func read(_ fd: CInt, limit: Int, name: String) throws(PluginError) -> [UInt8] {
        var bytes: [UInt8] = []
        var room = [UInt8](repeating: 0, count: 65_536)
        while true {
            let count = room.withUnsafeMutableBytes { Glibc.read(fd, $0.baseAddress, $0.count) }
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { throw PluginError(errno: errno, "cannot read \(name)") }
            if count == 0 { return bytes }
            bytes += room[..<count]
            guard bytes.count <= limit else {
                throw PluginError(.invalidArgument, "\(name) has more than \(limit) bytes; make it shorter")
            }
        }
    }
}

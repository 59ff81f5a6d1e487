import Glibc
import VitrineKit

/// Texts from and to open files.
enum TextFile {
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

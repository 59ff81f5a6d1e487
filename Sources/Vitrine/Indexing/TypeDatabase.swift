import BaseFolders
import CPlatform
import Glibc
import PluginHost

/// The shared MIME database of the system and of the user, as far as it is to be known whether it is another one.
enum TypeDatabase {
    /// It has some hundred kilobytes; what is larger is known by its size alone.
    private static let limit = 16 << 20

    /// A number that stays the same as long as the database does: of the content, for packages write it anew without
    /// need. Takes some tenths of a millisecond.
    /// - Parameter folders: where data of programs lie, as the XDG Base Directory Specification says. Default: those of
    ///   the environment.
    static func mark(in folders: [String] = standardFolders) -> UInt64 {
        var marks: [UInt64] = []
        for folder in folders {
            let file = open(folder + "/mime/mime.cache", O_RDONLY | O_CLOEXEC | O_NONBLOCK)
            guard file >= 0 else {
                marks.append(0)
                continue
            }
            defer { close(file) }
            var status = stat()
            guard fstat(file, &status) == 0, status.st_mode & S_IFMT == S_IFREG, status.st_size <= limit else {
                marks.append(UInt64(truncatingIfNeeded: status.st_size))
                continue
            }
            let bytes = [UInt8](unsafeUninitializedCapacity: Int(status.st_size)) { room, filled in
                while filled < room.count {
                    let got = read(file, room.baseAddress.map { $0 + filled }, room.count - filled)
                    if got < 0, errno == EINTR { continue }
                    if got <= 0 { break }
                    filled += got
                }
            }
            marks.append(vp_hash64(bytes, bytes.count))
        }
        return marks.withUnsafeBytes { vp_hash64($0.baseAddress, $0.count) }
    }

    private static var standardFolders: [String] {
        PluginSearchPath.dataFolders(PluginSearchPath.environment)
    }
}

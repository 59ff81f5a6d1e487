internal import Glibc
internal import PrivateCopies
internal import VitrineKit

/// Files of LibreOffice and of its profile: small enough to be read and written at once.
enum SmallFile {
    /// The most bytes that are read.
    private static let limit = 4 << 20

    /// Reads a file as text.
    /// - Returns: `nil` when it cannot be read or is too long.
    static func read(_ path: String) -> String? { bytes(path).map { String(decoding: $0, as: UTF8.self) } }

    /// Reads a file.
    /// - Returns: `nil` when it cannot be read or is too long.
    static func bytes(_ path: String) -> [UInt8]? {
        let file = open(path, O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { return nil }
        defer { close(file) }
        var bytes: [UInt8] = []
        while bytes.count <= limit {
            let block = [UInt8](unsafeUninitializedCapacity: 1 << 16) { buffer, count in
                count = max(0, Glibc.read(file, buffer.baseAddress, buffer.count))
            }
            if block.isEmpty { return bytes }
            bytes += block
        }
        return nil
    }

    /// Writes a new file; one that is there is left as it is.
    /// - Throws: `noSpace`, `forbidden` or `io`.
    static func write(_ text: String, to path: String) throws(PluginError) { try write(Array(text.utf8), to: path) }

    /// Writes a new file, or none when that fails; one that is there is left as it is.
    /// - Throws: `noSpace`, `forbidden` or `io`.
    static func write(_ bytes: [UInt8], to path: String) throws(PluginError) {
        let file = open(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
        if file < 0, errno == EEXIST { return }
        let doing = "cannot write LibreOffice's settings"
        guard file >= 0 else { throw PluginError(errno: errno, doing) }
        defer { close(file) }
        do throws(PluginError) {
            try PrivateCopy.write(bytes, to: file, doing)
        } catch {
            unlink(path)
            throw error
        }
    }
}

import Glibc
import VitrineKit

/// A folder of its own for one test, removed with it.
final class TemporaryTree: Sendable {
    let path: String

    struct Failure: Error { var errno: CInt }

    init() throws {
        var name = Array("/tmp/vitrine-test-XXXXXX".utf8CString)
        guard let made = mkdtemp(&name) else { throw Failure(errno: errno) }
        path = String(cString: made)
    }

    var source: SourceURI { SourceURI(file: path.utf8) }

    /// Makes a file, or a folder when there is no content.
    func put(_ name: [UInt8], _ content: [UInt8]?) throws {
        try with(name) { path in
            guard let content else { return mkdir(path, 0o755) }
            let file = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0o644)
            guard file >= 0 else { return -1 }
            defer { close(file) }
            return write(file, content, content.count) == content.count ? 0 : -1
        }
    }

    func put(_ name: String, _ content: String) throws { try put(Array(name.utf8), Array(content.utf8)) }
    func folder(_ name: String) throws { try put(Array(name.utf8), nil) }
    func link(_ name: String, to target: String) throws { try with(Array(name.utf8)) { symlink(target, $0) } }
    func pipe(_ name: String) throws { try with(Array(name.utf8)) { mkfifo($0, 0o644) } }

    /// Calls a function of the system with the path of a name.
    func with(_ name: [UInt8], _ body: (UnsafePointer<CChar>) -> CInt) throws {
        let full = (Array((path + "/").utf8) + name + [0]).map { CChar(bitPattern: $0) }
        guard full.withUnsafeBufferPointer({ $0.baseAddress.map(body) ?? -1 }) == 0 else { throw Failure(errno: errno) }
    }

    deinit { Self.clear(path.utf8CString.map { $0 }) }

    /// Removes what has a name, which may be any bytes, and everything in it.
    private static func clear(_ path: [CChar]) {
        guard unlink(path) != 0 else { return }
        if let stream = opendir(path) {
            while let entry = readdir(stream) {
                let name = withUnsafeBytes(of: &entry.pointee.d_name) {
                    $0.prefix { $0 != 0 }.map(CChar.init(bitPattern:))
                }
                if name == [46] || name == [46, 46] { continue }
                clear(path.dropLast() + [47] + name + [0])
            }
            closedir(stream)
        }
        rmdir(path)
    }
}

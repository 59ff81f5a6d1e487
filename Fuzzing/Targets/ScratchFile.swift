import Glibc

/// Bytes as a file, which goes with the value.
struct ScratchFile: ~Copyable {
    /// Its path.
    let path: String
    /// Open for reading and writing, at its beginning.
    let descriptor: CInt

    init?(_ bytes: [UInt8]) {
        let folder = getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp"
        var template = Array("\(folder)/vitrine-fuzz-XXXXXX".utf8CString)
        descriptor = mkstemp(&template)
        path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
        guard descriptor >= 0, pwrite(descriptor, bytes, bytes.count, 0) == bytes.count else { return nil }
    }

    deinit {
        if descriptor >= 0 {
            unlink(path)
            close(descriptor)
        }
    }
}

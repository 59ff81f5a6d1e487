import Glibc
import VitrineKit

/// A preview outside of the cache.
enum PictureFile {
    /// The most bytes of a preview.
    private static let limit = 1 << 30

    /// Copies a preview as a whole or not at all. Its text is left out: it names the file that it was made of, which
    /// is nobody's business who gets the picture.
    /// - Parameters:
    ///   - path: a PNG of the cache.
    ///   - output: where to; `-` is standard output.
    static func copy(_ path: String, to output: [UInt8]) throws(PluginError) {
        let picture = withoutText(try read(path))
        let name = DisplayText.of(output)
        if output.elementsEqual("-".utf8) {
            guard write(picture, to: STDOUT_FILENO) else { throw PluginError(errno: errno, "cannot write the picture") }
            return
        }
        let final = output.map { CChar(bitPattern: $0) } + [0]
        var status = stat()
        if stat(final, &status) == 0, status.st_mode & S_IFMT != S_IFREG {
            // Such as /dev/stdout or a pipe: nothing to rename.
            let fd = open(final, O_WRONLY | O_CLOEXEC)
            guard fd >= 0 else { throw PluginError(errno: errno, "cannot write '\(name)'") }
            defer { close(fd) }
            guard write(picture, to: fd) else { throw PluginError(errno: errno, "cannot write '\(name)'") }
            return
        }
        let temporary = (output + ".vitrine-\(getpid())".utf8).map { CChar(bitPattern: $0) } + [0]
        let fd = open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o666)
        guard fd >= 0 else { throw PluginError(errno: errno, "cannot write '\(name)'") }
        let written = write(picture, to: fd)
        let failure = errno
        close(fd)
        guard written, rename(temporary, final) == 0 else {
            let failure = written ? errno : failure
            unlink(temporary)
            throw PluginError(errno: failure, "cannot write '\(name)'")
        }
    }

    private static func read(_ path: String) throws(PluginError) -> [UInt8] {
        let fd = open(path, O_RDONLY | O_CLOEXEC)
        guard fd >= 0 else { throw PluginError(errno: errno, "cannot read the preview '\(path)'") }
        defer { close(fd) }
        var status = stat()
        guard fstat(fd, &status) == 0, 0...limit ~= Int(status.st_size) else {
            throw PluginError(.io, "cannot read the preview '\(path)'")
        }
        let size = Int(status.st_size)
        let bytes = [UInt8](unsafeUninitializedCapacity: size) { buffer, count in
            while count < size {
                let got = pread(fd, buffer.baseAddress.map { $0 + count }, size - count, off_t(count))
                guard got > 0 else { return }
                count += got
            }
        }
        guard bytes.count == size else { throw PluginError(.io, "cannot read the preview '\(path)'") }
        return bytes
    }

    /// The picture without `tEXt` chunks. What is no PNG stays as it is.
    static func withoutText(_ png: [UInt8]) -> [UInt8] {
        var out = Array(png.prefix(8))
        var rest = png.dropFirst(8)
        while rest.count >= 12 {
            let length = rest.prefix(4).reduce(0) { $0 << 8 | Int($1) }
            guard length <= rest.count - 12 else { return png }
            let chunk = rest.prefix(length + 12)
            if !chunk.dropFirst(4).prefix(4).elementsEqual("tEXt".utf8) { out += chunk }
            rest = rest.dropFirst(length + 12)
        }
        return rest.isEmpty ? out : png
    }

    private static func write(_ bytes: [UInt8], to fd: CInt) -> Bool {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Glibc.write(fd, $0.baseAddress, $0.count) }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return false }
            rest = rest.dropFirst(count)
        }
        return true
    }
}

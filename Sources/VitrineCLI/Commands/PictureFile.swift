import FileBytes
import Glibc
import VitrineKit

/// A preview outside of the cache.
enum PictureFile {
    /// Writes a picture as a whole or not at all.
    /// - Parameters:
    ///   - picture: the file's bytes.
    ///   - output: where to; `-` is standard output.
    static func write(_ picture: [UInt8], to output: [UInt8]) throws(PluginError) {
        let name = DisplayText.of(output)
        if output.elementsEqual("-".utf8) {
            if let reason = FileBytes.write(picture, to: STDOUT_FILENO) {
                throw PluginError(errno: reason, "cannot write the picture")
            }
            return
        }
        let final = output.map { CChar(bitPattern: $0) } + [0]
        var status = stat()
        if stat(final, &status) == 0, status.st_mode & S_IFMT != S_IFREG {
            // Such as /dev/stdout or a pipe: nothing to rename.
            let fd = open(final, O_WRONLY | O_CLOEXEC)
            guard fd >= 0 else { throw PluginError(errno: errno, "cannot write '\(name)'") }
            defer { close(fd) }
            if let reason = FileBytes.write(picture, to: fd) {
                throw PluginError(errno: reason, "cannot write '\(name)'")
            }
            return
        }
        let temporary = (output + ".vitrine-\(getpid())".utf8).map { CChar(bitPattern: $0) } + [0]
        let fd = open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o666)
        guard fd >= 0 else { throw PluginError(errno: errno, "cannot write '\(name)'") }
        var failure = FileBytes.write(picture, to: fd)
        close(fd)
        if failure == nil, rename(temporary, final) != 0 { failure = errno }
        if let failure {
            unlink(temporary)
            throw PluginError(errno: failure, "cannot write '\(name)'")
        }
    }

    /// Whether two paths lead to one file.
    static func isSame(_ first: [UInt8], _ second: [UInt8]) -> Bool {
        var (one, other) = (stat(), stat())
        return stat(first.map { CChar(bitPattern: $0) } + [0], &one) == 0
            && stat(second.map { CChar(bitPattern: $0) } + [0], &other) == 0
            && one.st_dev == other.st_dev && one.st_ino == other.st_ino
    }
}

import Glibc
internal import VitrineKit

extension UnsafeRawBufferPointer {
    /// Calls with the path of a copy of these bytes, for a library that opens files by their names; it is gone afterwards.
    /// - Parameter folder: the worker's own, in which nothing else has that name.
    /// - Throws: what writing throws, or `body`.
    func withCopy<R>(in folder: String, _ body: (String) throws(PluginError) -> R) throws(PluginError) -> R {
        let path = folder + "/document"
        let descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw PluginError(errno: errno, "cannot make a copy of the document") }
        defer { unlink(path) }
        var done = 0
        while done < count {
            let written = write(descriptor, baseAddress.map { $0 + done }, count - done)
            if written < 0, errno == EINTR { continue }
            guard written > 0 else {
                let reason = errno
                close(descriptor)
                throw PluginError(errno: reason, "cannot write a copy of the document")
            }
            done += written
        }
        close(descriptor)
        return try body(path)
    }
}

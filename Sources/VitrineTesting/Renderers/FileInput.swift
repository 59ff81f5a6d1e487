import Glibc
public import VitrineKit

/// An item's bytes behind a descriptor, as a worker passes a local file.
public final class FileInput: RandomAccessInput {
    /// Bytes in all, when the file was opened.
    public let size: Int64
    private let descriptor: CInt

    /// Opens a file for reading.
    /// - Parameter path: its path.
    /// - Throws: what the system call says, such as `notFound`.
    public init(path: String) throws(PluginError) {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { throw PluginError(errno: errno, "cannot open '\(path)'") }
        var status = stat()
        guard fstat(descriptor, &status) == 0 else {
            let reason = errno
            close(descriptor)
            throw PluginError(errno: reason, "cannot examine '\(path)'")
        }
        self.descriptor = descriptor
        size = Int64(status.st_size)
    }

    deinit { close(descriptor) }

    /// The file's descriptor; it belongs to this object.
    public var fileDescriptor: CInt? { descriptor }

    /// Reads a range of the file.
    public func read(at offset: Int64, into buffer: UnsafeMutableRawBufferPointer) throws(PluginError) -> Int {
        while true {
            let count = pread(descriptor, buffer.baseAddress, buffer.count, off_t(offset))
            if count >= 0 { return count }
            guard errno == EINTR else { throw PluginError(errno: errno, "cannot read the file") }
        }
    }
}

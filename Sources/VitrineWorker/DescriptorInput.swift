import Glibc
import VitrineKit

/// An item as the descriptor that the host passed.
final class DescriptorInput: RandomAccessInput {
    let size: Int64
    private let fd: CInt

    /// Takes the descriptor over; it is closed with this object.
    init(fd: CInt) throws(PluginError) {
        self.fd = fd
        var status = stat()
        guard fstat(fd, &status) == 0 else { throw PluginError(errno: errno, "cannot tell the size of the file") }
        size = Int64(status.st_size)
    }

    deinit { close(fd) }

    var fileDescriptor: CInt? { fd }

    func read(at offset: Int64, into buffer: UnsafeMutableRawBufferPointer) throws(PluginError) -> Int {
        while true {
            let count = pread(fd, buffer.baseAddress, buffer.count, off_t(offset))
            if count >= 0 { return count }
            if errno != EINTR { throw PluginError(errno: errno, "cannot read the file") }
        }
    }
}

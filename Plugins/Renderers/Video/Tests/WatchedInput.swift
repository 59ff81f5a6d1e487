import Glibc
import VitrineKit

/// A file whose reads are counted, or fail.
final class WatchedInput: RandomAccessInput {
    let size: Int64
    private let file: CInt
    /// Bytes that were read so far.
    private(set) var bytesRead = 0
    /// What every read fails with.
    var failure: PluginError?

    init(_ path: String) throws {
        file = open(path, O_RDONLY | O_CLOEXEC)
        var status = stat()
        guard file >= 0, fstat(file, &status) == 0 else { throw PluginError(errno: errno, "cannot open '\(path)'") }
        size = Int64(status.st_size)
    }

    deinit { close(file) }

    var fileDescriptor: CInt? { file }

    func read(at offset: Int64, into buffer: UnsafeMutableRawBufferPointer) throws(PluginError) -> Int {
        if let failure { throw failure }
        let count = pread(file, buffer.baseAddress, buffer.count, Int(offset))
        guard count >= 0 else { throw PluginError(errno: errno, "cannot read") }
        bytesRead += count
        return count
    }
}

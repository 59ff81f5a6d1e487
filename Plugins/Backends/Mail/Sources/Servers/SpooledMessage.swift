import Glibc
import Synchronization
import VitrineKit

/// A message that was read from a server without ranges: a file without a name, gone with its last reference.
final class SpooledMessage: Sendable {
    private let descriptor: CInt
    private let length = Mutex<Int64>(0)

    /// The most bytes of one message: 64 MiB.
    static let longest: Int64 = 64 << 20

    init() throws(PluginError) {
        let folder = getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp"
        descriptor = try OpenDescriptor.nameless(
            in: folder, failing: "cannot make a file in '\(DisplayText.of(folder))'")
    }

    deinit { close(descriptor) }

    var size: Int64 { length.withLock { $0 } }

    /// Appends bytes.
    func append(_ bytes: [UInt8]) throws(PluginError) {
        let failure = length.withLock { length -> CInt in
            var done = 0
            while done < bytes.count {
                let count = bytes.withUnsafeBytes { buffer in
                    pwrite(descriptor, buffer.baseAddress.map { $0 + done }, buffer.count - done, off_t(length))
                }
                if count < 0, errno == EINTR { continue }
                guard count > 0 else { return count < 0 ? errno : ENOSPC }
                done += count
                length += Int64(count)
            }
            return 0
        }
        guard failure == 0 else { throw PluginError(errno: failure, "cannot keep a message while it is read") }
    }

    /// Reads a range; less only at its end.
    func read(at offset: Int64, count: Int) throws(PluginError) -> [UInt8] {
        try OpenDescriptor.read(descriptor, at: offset, count: count, failing: "cannot read a message that is kept")
    }
}

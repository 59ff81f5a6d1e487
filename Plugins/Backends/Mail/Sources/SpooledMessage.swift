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
        var name = Array("\(folder)/vitrine-mail-XXXXXX".utf8CString)
        descriptor = mkstemp(&name)
        guard descriptor >= 0 else {
            throw PluginError(errno: errno, "cannot make a file in '\(DisplayText.of(folder))'")
        }
        _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
        unlink(name)
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
        var failure: CInt = 0
        let bytes = [UInt8](unsafeUninitializedCapacity: max(0, count)) { buffer, done in
            while done < buffer.count {
                let got = pread(
                    descriptor, buffer.baseAddress.map { $0 + done }, buffer.count - done, off_t(offset) + done)
                if got < 0, errno == EINTR { continue }
                if got < 0 { failure = errno }
                guard got > 0 else { break }
                done += got
            }
        }
        guard failure == 0 else { throw PluginError(errno: failure, "cannot read a message that is kept") }
        return bytes
    }
}

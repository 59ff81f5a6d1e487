import Glibc
import VitrineKit

/// What is done with the number of an open file. Calls block.
enum OpenDescriptor {
    /// Reads a range; less only at the end of the file.
    /// - Parameter failing: says what failed.
    static func read(
        _ descriptor: CInt, at offset: Int64, count: Int, failing: @autoclosure () -> String
    ) throws(PluginError) -> [UInt8] {
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
        guard failure == 0 else { throw PluginError(errno: failure, failing()) }
        return bytes
    }

    /// Makes a file that only this process knows: its name is gone at once.
    /// - Throws: as the system says, with `failing` as what failed.
    static func nameless(in folder: String, failing: @autoclosure () -> String) throws(PluginError) -> CInt {
        for _ in 0..<100 {
            let name = "\(folder)/vitrine-mail-\(String(UInt64.random(in: .min ... .max), radix: 36))"
            // Closed to programs that are started meanwhile from its first moment on, which mkstemp cannot do.
            let descriptor = open(name, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
            if descriptor >= 0 {
                unlink(name)
                return descriptor
            }
            guard errno == EEXIST else { break }
        }
        throw PluginError(errno: errno, failing())
    }
}

import Glibc
import VitrineKit

/// The memory that the host made for what a worker makes, mapped.
final class SharedOutput {
    let memory: UnsafeMutableRawBufferPointer

    /// Maps the host's memory. The descriptor is closed.
    init(fd: CInt, size: Int) throws(PluginError) {
        defer { close(fd) }
        let start = mmap(nil, size, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0)
        guard let start, start != MAP_FAILED else {
            throw PluginError(.limitExceeded, "what is to be made needs \(size) bytes, which is over the limit")
        }
        memory = UnsafeMutableRawBufferPointer(start: start, count: size)
    }

    deinit { munmap(memory.baseAddress, memory.count) }
}

internal import CMagick
import Glibc
internal import VitrineKit

/// Memory that has a path, for the one coder that insists on opening a file itself.
///
/// It is made, with its full size, before the worker locks itself down: afterwards no file may be created or grow,
/// while memory may still be written. Untouched pages cost nothing, and touched ones are given back after use.
final class PathMemory {
    /// The most bytes that it holds.
    static let capacity = 256 << 20

    private let descriptor: CInt
    private let memory: UnsafeMutableRawPointer

    init() throws(PluginError) {
        descriptor = cmagick_memory("vitrine-picture", 1 /* MFD_CLOEXEC */)
        guard descriptor >= 0, ftruncate(descriptor, off_t(Self.capacity)) == 0,
            let memory = mmap(nil, Self.capacity, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0),
            memory != MAP_FAILED
        else {
            let reason = errno
            if descriptor >= 0 { close(descriptor) }
            throw PluginError(
                .pluginUnavailable, "cannot make memory for pictures: \(PluginError(errno: reason, "memfd").message)")
        }
        self.memory = memory
    }

    deinit {
        munmap(memory, Self.capacity)
        close(descriptor)
    }

    /// Copies bytes and gives their path, which is valid during the call.
    func withPath<R>(
        to bytes: UnsafeRawBufferPointer, _ body: (String) throws(PluginError) -> R
    ) throws(PluginError) -> R {
        guard bytes.count <= Self.capacity, let start = bytes.baseAddress else {
            throw PluginError(
                .limitExceeded, "the picture has \(bytes.count) bytes; of this format at most \(Self.capacity) are read"
            )
        }
        memory.copyMemory(from: start, byteCount: bytes.count)
        defer { madvise(memory, (bytes.count + 4095) & ~4095, MADV_REMOVE) }
        return try body("/proc/self/fd/\(descriptor)")
    }
}

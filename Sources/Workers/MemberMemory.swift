import CPlatform
import Glibc
public import VitrineKit

/// A member's content, in memory that nobody can write to any more. Given back when the last reference goes.
public final class MemberMemory: Sendable {
    /// Open for reading.
    public let fd: CInt
    /// Bytes.
    public let size: Int64

    /// Makes the memory.
    /// - Parameters:
    ///   - size: in bytes.
    ///   - fill: writes all of it to a descriptor.
    /// - Throws: `workerLost` without memory, or what `fill` throws.
    public init(size: Int64, _ fill: (CInt) throws(PluginError) -> Void) throws(PluginError) {
        let memory = vp_growing_memory("vitrine-member")
        guard memory >= 0 else { throw Self.lack(-memory, size) }
        defer { close(memory) }
        try fill(memory)
        fd = vp_finished_memory(memory)
        guard fd >= 0 else { throw Self.lack(-fd, size) }
        self.size = size
    }

    deinit { close(fd) }

    private static func lack(_ failure: CInt, _ size: Int64) -> PluginError {
        // The item is not to blame, whatever the errno says.
        let reason = PluginError(errno: failure, "cannot make \(size) bytes of memory for a member of an archive")
        return PluginError(.workerLost, reason.message)
    }
}

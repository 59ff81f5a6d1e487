import CPlatform
import FileBytes
import Glibc
import VitrineKit

/// Memory that the host makes and a worker writes into: its PNGs, or what it unpacks.
///
/// It is sealed: neither side can change its size. The host never maps it, it copies what it needs, so nothing that
/// a worker does to it afterwards can reach the host.
final class OutputMemory: Sendable {
    let fd: CInt
    let size: Int

    /// Makes memory.
    init(size: Int) throws(PluginError) {
        let fd = vp_sealed_memory("vitrine-output", size)
        guard fd >= 0 else {
            // The item is not to blame, whatever the errno says.
            let reason = PluginError(errno: -fd, "cannot make \(size) bytes of memory for what a worker makes").message
            throw PluginError(.workerLost, reason)
        }
        self.fd = fd
        self.size = size
    }

    deinit { close(fd) }

    /// The memory that holds one PNG for each box, however badly it compresses.
    ///
    /// Stored deflate blocks cost 5 bytes in 16 KiB at most, a filter byte a row, and chunks little more.
    static func size(for boxes: [Int]) -> Int {
        let bytes = boxes.reduce(0) { sum, box in
            let raw = box * (box * 4 + 1)
            return sum + raw + raw / 1000 + (64 << 10)
        }
        return (bytes + 4095) & ~4095
    }

    /// Copies a range.
    /// - Throws: `invalidAnswer` when it does not lie inside.
    func copy(offset: Int, length: Int) throws(PluginError) -> [UInt8] {
        guard offset >= 0, length > 0, offset <= size, length <= size - offset else {
            throw PluginError(.invalidAnswer, "the worker says that what it made lies outside its memory")
        }
        let (bytes, failure) = FileBytes.read(length, from: fd, at: Int64(offset))
        guard bytes.count == length else {
            throw PluginError(errno: failure ?? EIO, "cannot read the worker's memory")
        }
        return bytes
    }
}

import VitrineKit

/// Bytes as a renderer sees them, which count how often they are read: a chain that runs in a circle shows.
final class CountedInput: RandomAccessInput {
    /// Reads so far.
    private(set) var reads = 0
    /// Reads with an offset below 0, which would be an error of the reader.
    private(set) var negativeOffsets = 0
    private let content: [UInt8]
    private let limit: Int

    /// - Parameter limit: reads after which everything else fails, so that the check ends.
    init(_ content: [UInt8], limit: Int) {
        self.content = content
        self.limit = limit
    }

    var size: Int64 { Int64(content.count) }
    var fileDescriptor: CInt? { nil }

    func read(at offset: Int64, into buffer: UnsafeMutableRawBufferPointer) throws(PluginError) -> Int {
        reads += 1
        if offset < 0 { negativeOffsets += 1 }
        guard reads <= limit else { throw PluginError(.io, "read too often") }
        guard offset >= 0, offset < size else { return 0 }
        let part = content[Int(offset)...].prefix(buffer.count)
        buffer.copyBytes(from: part)
        return part.count
    }
}

public import VitrineKit

/// An input without a descriptor whose reads are counted.
public final class CountingInput: RandomAccessInput {
    private let bytes: BytesInput
    /// Calls so far.
    public private(set) var reads = 0
    /// Bytes that they gave.
    public private(set) var bytesRead = 0

    /// Takes the bytes that are read.
    public init(_ bytes: [UInt8]) { self.bytes = BytesInput(bytes) }

    /// Bytes in all.
    public var size: Int64 { bytes.size }
    /// None.
    public var fileDescriptor: CInt? { nil }

    /// Reads, and counts it.
    public func read(at offset: Int64, into buffer: UnsafeMutableRawBufferPointer) throws(PluginError) -> Int {
        let count = try bytes.read(at: offset, into: buffer)
        reads += 1
        bytesRead += count
        return count
    }
}

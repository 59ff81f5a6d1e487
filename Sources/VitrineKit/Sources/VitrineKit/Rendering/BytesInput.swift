/// Bytes in memory as an input: what was unpacked of a file, or made up by a test.
public final class BytesInput: RandomAccessInput {
    private let bytes: [UInt8]

    /// Wraps bytes.
    public init(_ bytes: [UInt8]) { self.bytes = bytes }

    /// Bytes in all.
    public var size: Int64 { Int64(bytes.count) }

    /// There is none.
    public var fileDescriptor: CInt? { nil }

    /// Copies a range. Throws nothing.
    public func read(at offset: Int64, into buffer: UnsafeMutableRawBufferPointer) throws(PluginError) -> Int {
        guard 0..<size ~= offset else { return 0 }
        let part = bytes[Int(offset)...].prefix(buffer.count)
        buffer.copyBytes(from: part)
        return part.count
    }
}

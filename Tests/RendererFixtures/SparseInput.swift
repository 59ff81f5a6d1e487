public import VitrineKit

/// A file that is nearly all a hole, as one that takes no room on a disk: some bytes, and zeros behind them.
public final class SparseInput: RandomAccessInput {
    /// Bytes in all.
    public let size: Int64
    /// There is none.
    public let fileDescriptor: CInt? = nil
    /// Bytes that were read so far.
    public private(set) var bytesRead: Int64 = 0
    private let beginning: [UInt8]

    /// - Parameter size: bytes in all. Default: a terabyte.
    public init(_ beginning: [UInt8], size: Int64 = 1 << 40) {
        self.beginning = beginning
        self.size = size
    }

    /// Reads, and counts.
    public func read(at offset: Int64, into buffer: UnsafeMutableRawBufferPointer) throws(PluginError) -> Int {
        let count = Int(max(0, min(Int64(buffer.count), size - offset)))
        let part = UnsafeMutableRawBufferPointer(rebasing: buffer[..<count])
        part.initializeMemory(as: UInt8.self, repeating: 0)
        if offset < beginning.count { part.copyBytes(from: beginning[Int(offset)...].prefix(count)) }
        bytesRead += Int64(count)
        return count
    }
}

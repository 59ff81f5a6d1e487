internal import CPackage
internal import VitrineKit

/// Looks for marks in a file, block by block.
struct ByteSearch {
    private let input: any RandomAccessInput
    /// Where the search ends.
    private let end: Int64

    private static let block = 1 << 20
    /// Bytes that are searched of a file on this machine, and of one that lies elsewhere.
    private static let range: Int64 = 256 << 20, rangeElsewhere: Int64 = 4 << 20

    /// Begins with a file, of which the beginning is searched.
    init(_ input: any RandomAccessInput) {
        self.input = input
        end = min(input.size, input.fileDescriptor == nil ? Self.rangeElsewhere : Self.range)
    }

    /// Where a mark stands first.
    /// - Parameters:
    ///   - mark: a few bytes.
    ///   - start: where to begin.
    /// - Returns: `nil` when it is not in the part that is searched.
    /// - Throws: what the input throws.
    func offset(of mark: [UInt8], from start: Int64 = 0) throws(PluginError) -> Int64? {
        var at = start
        while at < end {
            // A mark may lie across two blocks.
            let bytes = try input.bytes(at: at, count: Self.block + mark.count - 1)
            guard bytes.count >= mark.count else { return nil }
            if let found = Self.offset(of: mark, in: bytes) { return at + Int64(found) }
            at += Int64(Self.block)
        }
        return nil
    }

    /// Where a mark stands first in bytes.
    static func offset(of mark: [UInt8], in bytes: [UInt8]) -> Int? {
        bytes.withUnsafeBytes { bytes in
            mark.withUnsafeBytes { mark in
                guard let first = bytes.baseAddress,
                    let found = cpackage_find(first, bytes.count, mark.baseAddress, mark.count)
                else { return nil }
                return UnsafeRawPointer(found) - first
            }
        }
    }
}

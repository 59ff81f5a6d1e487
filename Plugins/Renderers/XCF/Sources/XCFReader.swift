internal import VitrineKit

/// Reads numbers of an XCF file one after the other, the most significant byte first.
struct XCFReader {
    private let bytes: UnsafeRawBufferPointer
    /// Where the next number begins.
    private(set) var at: Int
    /// Whether places in the file are told in eight bytes, since version 11, or in four.
    let hasWidePlaces: Bool

    /// Begins at a place, which may be beyond the end: reading then fails.
    init(_ bytes: UnsafeRawBufferPointer, at: Int, hasWidePlaces: Bool) {
        (self.bytes, self.at, self.hasWidePlaces) = (bytes, at, hasWidePlaces)
    }

    /// Begins at another place of the same file.
    init(_ other: XCFReader, at: Int) {
        self.init(other.bytes, at: at, hasWidePlaces: other.hasWidePlaces)
    }

    /// How many bytes there are behind here.
    func remaining() -> Int { max(0, bytes.count - at) }

    mutating func number() throws(PluginError) -> UInt32 { UInt32(truncatingIfNeeded: try number(of: 4)) }

    mutating func signed() throws(PluginError) -> Int { Int(Int32(bitPattern: try number())) }

    mutating func byte() throws(PluginError) -> UInt8 { UInt8(truncatingIfNeeded: try number(of: 1)) }

    /// A place in the file; `nil` for the one of nothing, which also ends a list of them.
    mutating func place() throws(PluginError) -> Int? {
        let place = try number(of: hasWidePlaces ? 8 : 4)
        return place == 0 ? nil : Int(clamping: place)
    }

    /// A text with its length before it, and a zero at its end that counts.
    mutating func text() throws(PluginError) -> ArraySlice<UInt8> {
        let text = try take(Int(try number()))
        return Array(text).dropLast()
    }

    /// So many bytes as they are.
    mutating func take(_ count: Int) throws(PluginError) -> UnsafeRawBufferPointer {
        guard count >= 0, at <= bytes.count, count <= bytes.count - at else { throw Self.cut }
        defer { at += count }
        return UnsafeRawBufferPointer(rebasing: bytes[at..<at + count])
    }

    private mutating func number(of count: Int) throws(PluginError) -> UInt64 {
        UInt64(bigEndianBytes: try take(count))
    }

    private static let cut = PluginError(.corrupt, "the GIMP picture is cut off, or damaged")
}

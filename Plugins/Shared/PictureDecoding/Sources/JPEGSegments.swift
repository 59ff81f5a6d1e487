/// The segments of a JPEG picture before its first scan (ITU-T T.81, B.1.1.4).
struct JPEGSegments: Sequence, IteratorProtocol {
    private let bytes: [UInt8]
    private var at = 2

    /// Walks through a picture; damaged ones end early.
    init(_ bytes: [UInt8]) { self.bytes = bytes }

    mutating func next() -> (marker: UInt8, content: ArraySlice<UInt8>)? {
        guard at + 4 <= bytes.count, bytes[at] == 0xFF, bytes[at + 1] != 0xDA else { return nil }
        let length = Swift.max(2, Int(bytes[at + 2]) << 8 | Int(bytes[at + 3]))
        let content = bytes[at + 4..<Swift.max(at + 4, Swift.min(bytes.count, at + 2 + length))]
        defer { at += 2 + length }
        return (bytes[at + 1], content)
    }
}

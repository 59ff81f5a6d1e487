/// The chunks that stand before the pixels of a PNG picture, in their order (PNG, Third Edition, 5.3). Ends at what is damaged.
struct PNGChunks: Sequence, IteratorProtocol {
    /// One chunk.
    struct Chunk {
        /// Where it lies, with its length, its name and its checksum.
        var range: Range<Int>
        var name: ArraySlice<UInt8>
        var content: ArraySlice<UInt8>
    }

    private let bytes: [UInt8]
    private var at = 8

    /// - Parameter bytes: a file that begins with PNG's signature.
    init(_ bytes: [UInt8]) { self.bytes = bytes }

    mutating func next() -> Chunk? {
        guard at + 12 <= bytes.count else { return nil }
        let length = bytes[at..<at + 4].reduce(0) { $0 << 8 | Int($1) }
        let name = bytes[at + 4..<at + 8]
        guard length <= bytes.count - at - 12, !name.elementsEqual("IDAT".utf8) else { return nil }
        defer { at += 12 + length }
        return Chunk(range: at..<at + 12 + length, name: name, content: bytes[at + 8..<at + 8 + length])
    }

    /// What a camera wrote (11.3.4.5), which may stand behind the pixels.
    /// - Parameter bytes: a file that begins with PNG's signature.
    /// - Returns: `nil` when there is none, or when the chunks before it are damaged.
    static func camera(_ bytes: [UInt8]) -> ArraySlice<UInt8>? {
        var at = 8
        while at + 12 <= bytes.count {
            let length = bytes[at..<at + 4].reduce(0) { $0 << 8 | Int($1) }
            guard length <= bytes.count - at - 12 else { return nil }
            if bytes[at + 4..<at + 8].elementsEqual("eXIf".utf8) { return bytes[at + 8..<at + 8 + length] }
            at += 12 + length
        }
        return nil
    }
}

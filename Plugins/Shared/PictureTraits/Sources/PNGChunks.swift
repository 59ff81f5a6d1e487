internal import VitrineKit

/// The chunks of a PNG file, in their order (PNG, Third Edition, 5.3). A file that is cut off ends with what is there of one.
public struct PNGChunks: Sequence, IteratorProtocol {
    /// The four letters of a chunk's name.
    public struct Name: Hashable, Sendable, ExpressibleByStringLiteral {
        private let letters: UInt32

        fileprivate init(_ letters: some Sequence<UInt8>) { self.letters = UInt32(bigEndianBytes: letters) }

        /// Takes four letters of ASCII.
        public init(stringLiteral text: String) { self.init(text.utf8) }
    }

    /// One chunk.
    public struct Chunk {
        /// What it is called.
        public let name: Name
        /// How many bytes it says that it holds.
        public let length: Int
        /// Where it lies, with its length, its name and its checksum, as far as the file goes.
        public let range: Range<Int>

        /// Where what it holds lies, as far as the file goes.
        public var content: Range<Int> {
            let start = range.lowerBound + 8
            return start..<Swift.min(start + length, range.upperBound)
        }

        /// Whether all of it is in the file.
        public var isWhole: Bool { range.count == length + 12 }
    }

    private let bytes: UnsafeRawBufferPointer
    private var at = 8

    /// - Parameter bytes: a file that begins with PNG's signature; valid as long as this.
    public init(_ bytes: UnsafeRawBufferPointer) { self.bytes = bytes }

    /// The next one.
    public mutating func next() -> Chunk? {
        guard at + 12 <= bytes.count else { return nil }
        let length = Int(bigEndianBytes: bytes[at..<at + 4])
        let range = at..<Swift.min(at + 12 + length, bytes.count)
        defer { at = range.upperBound }
        return Chunk(name: Name(bytes[at + 4..<at + 8]), length: length, range: range)
    }

    /// Those that stand before the pixels, up to the first that is damaged.
    public var beforePixels: some Sequence<Chunk> { lazy.prefix { $0.isWhole && $0.name != "IDAT" } }

    /// What a camera wrote (11.3.4.5), which may stand behind the pixels.
    /// - Parameter bytes: a file that begins with PNG's signature.
    /// - Returns: where it lies in `bytes`; `nil` when there is none.
    public static func camera(_ bytes: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer? {
        PNGChunks(bytes).first { $0.name == "eXIf" }.map { UnsafeRawBufferPointer(rebasing: bytes[$0.content]) }
    }
}

import RendererFixtures

/// A DICOM file as a test wants it.
struct WrittenDICOM {
    static let explicit = "1.2.840.10008.1.2.1", rle = "1.2.840.10008.1.2.5", baseline = "1.2.840.10008.1.2.4.50"
    static let jpeg2000 = "1.2.840.10008.1.2.4.91", film = "1.2.840.10008.1.2.4.102"
    static let secondaryCapture = "1.2.840.10008.5.1.4.1.1.7"

    /// Elements with their kinds, the least byte first (DICOM PS3.5, 7.1.2).
    struct Elements {
        private struct Key: Comparable, Hashable {
            var group: Int, number: Int
            static func < (one: Self, other: Self) -> Bool { (one.group, one.number) < (other.group, other.number) }
        }
        private var elements: [Key: [UInt8]] = [:]

        fileprivate static func element(_ group: Int, _ number: Int, _ kind: String, _ value: [UInt8], _ length: Int?)
            -> [UInt8]
        {
            let isLong = ["OB", "OW", "OF", "SQ", "UN"].contains(kind)
            let value = value + (value.count % 2 == 0 ? [] : kind == "UI" || kind == "OB" ? [0] : [0x20])
            let length = length ?? value.count
            return little(group, 2) + little(number, 2) + Array(kind.utf8)
                + (isLong ? [0, 0] + little(length, 4) : little(length, 2)) + value
        }

        mutating func set(_ group: Int, _ number: Int, _ kind: String, _ value: [UInt8], length: Int? = nil) {
            elements[Key(group: group, number: number)] = Self.element(group, number, kind, value, length)
        }

        mutating func set(_ group: Int, _ number: Int, _ kind: String, _ text: String) {
            set(group, number, kind, Array(text.utf8))
        }

        mutating func set(_ group: Int, _ number: Int, _ value: Int) { set(group, number, "US", little(value, 2)) }

        /// All of them, one after the other.
        var dataset: [UInt8] { elements.keys.sorted().flatMap { elements[$0] ?? [] } }
    }

    private var elements = Elements()
    var syntax = explicit

    mutating func set(_ group: Int, _ number: Int, _ kind: String, _ value: [UInt8]) {
        elements.set(group, number, kind, value)
    }

    mutating func set(_ group: Int, _ number: Int, _ kind: String, _ text: String) {
        elements.set(group, number, kind, text)
    }

    mutating func set(_ group: Int, _ number: Int, _ value: Int) { elements.set(group, number, value) }

    /// Pieces of a picture that is compressed, without a table of their places.
    mutating func setPieces(_ pieces: [[UInt8]]) {
        let items = ([[]] + pieces).flatMap { piece in Self.item(piece + (piece.count % 2 == 0 ? [] : [0])) }
        elements.set(
            0x7FE0, 0x10, "OB", items + little(0xFFFE, 2) + little(0xE0DD, 2) + little(0, 4), length: 0xFFFF_FFFF)
    }

    static func item(_ content: [UInt8]) -> [UInt8] {
        little(0xFFFE, 2) + little(0xE000, 2) + little(content.count, 4) + content
    }

    /// The elements alone.
    var dataset: [UInt8] { elements.dataset }

    /// What stands before the elements.
    private var head: [UInt8] {
        let rest =
            Elements.element(2, 2, "UI", Array(Self.secondaryCapture.utf8), nil)
            + Elements.element(2, 0x10, "UI", Array(syntax.utf8), nil)
        return Elements.element(2, 0, "UL", little(rest.count, 4), nil) + rest
    }

    /// The file as the standard has it, and without the 128 bytes and four letters before it.
    var bytes: [UInt8] { [UInt8](repeating: 0, count: 128) + Array("DICM".utf8) + bare }
    var bare: [UInt8] { head + dataset }

    /// A file without a picture.
    init(kind: String = secondaryCapture) { set(0x08, 0x16, "UI", kind) }

    /// A picture of shades of grey.
    init(width: Int, height: Int, bits: Int = 8, _ shades: [Int]) {
        self.init()
        setShape(width: width, height: height, samples: 1, colours: "MONOCHROME2", bits: bits)
        set(0x7FE0, 0x10, "OW", shades.flatMap { little($0, bits / 8) })
    }

    /// A colour picture in pieces.
    init(width: Int, height: Int, colours: String, syntax: String, pieces: [[UInt8]]) {
        self.init()
        self.syntax = syntax
        setShape(width: width, height: height, samples: 3, colours: colours, bits: 8)
        set(0x28, 0x06, 0)
        setPieces(pieces)
    }

    mutating func setShape(width: Int, height: Int, samples: Int, colours: String, bits: Int) {
        set(0x28, 0x02, samples)
        set(0x28, 0x04, "CS", colours)
        set(0x28, 0x10, height)
        set(0x28, 0x11, width)
        set(0x28, 0x100, bits)
        set(0x28, 0x101, bits)
        set(0x28, 0x102, bits - 1)
        set(0x28, 0x103, 0)
    }
}

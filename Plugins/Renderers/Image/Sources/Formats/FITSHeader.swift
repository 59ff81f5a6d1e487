internal import VitrineKit

/// The header of a part of a FITS file (FITS 4.0, 4 and 7): lines of 80 letters in blocks of 2880.
struct FITSHeader {
    /// What the numbers of a picture are (`BITPIX`).
    enum Kind: Int {
        case byte = 8, short = 16, int = 32, long = 64, float = -32, double = -64
    }

    private static let block = 2880, line = 80
    /// Parts that are looked at, and bytes of all their headers together.
    private static let mostParts = 256, longest = 4 << 20
    /// The words that are read, besides those of axes.
    private static let words: Set<Substring> = [
        "XTENSION", "BITPIX", "NAXIS", "GROUPS", "GCOUNT", "PCOUNT", "ZIMAGE", "BLANK", "BSCALE", "OBJECT", "DATE-OBS",
    ]

    /// What the numbers are.
    let kind: Kind
    /// How many of them there are along each axis.
    let sides: [Int]
    /// Where the header begins and ends; what it describes begins there.
    private let start: Int
    let end: Int
    /// Of integers, the one that stands for none.
    let blank: Int64?
    /// Larger numbers are darker.
    let isTurned: Bool
    /// What the lines say, by their words, without what is remarked.
    private let values: [Substring: String]

    /// Bytes of a number.
    var numberLength: Int { abs(kind.rawValue) / 8 }

    /// The header of the first part of a file that is a picture.
    /// - Throws: `corrupt`, `empty` when there is none, `unsupported` for one that is compressed in tiles.
    static func ofPicture(in bytes: UnsafeRawBufferPointer) throws(PluginError) -> FITSHeader {
        var start = 0, room = longest
        var isCompressed = false
        for _ in 0..<mostParts where start < bytes.count {
            guard let header = FITSHeader(bytes, at: start, room: room) else {
                // Behind the last part there may be anything.
                guard start == 0 || isPart(bytes, at: start) else { break }
                throw PluginError(.corrupt, "the FITS file is damaged: the header of one of its parts makes no sense")
            }
            if header.text("XTENSION") ?? "IMAGE" == "IMAGE", header.sides.count >= 2, !header.sides.contains(0) {
                return header
            }
            isCompressed = isCompressed || header.values["ZIMAGE"] == "T"
            room -= header.end - header.start
            guard let next = header.next, next <= bytes.count + block else {
                throw PluginError(.corrupt, "the FITS file is cut off: what one of its headers describes is missing")
            }
            start = next
        }
        if isCompressed {
            throw PluginError(.unsupported, "the picture in the FITS file is compressed: unpack it with funpack")
        }
        throw PluginError(.empty, "the FITS file holds no picture")
    }

    private static func isPart(_ bytes: UnsafeRawBufferPointer, at start: Int) -> Bool {
        bytes[start...].starts(with: "XTENSION".utf8)
    }

    private init?(_ bytes: UnsafeRawBufferPointer, at start: Int, room: Int) {
        var values: [Substring: String] = [:]
        var at = start
        while true {
            guard at + Self.line <= bytes.count, at - start < room else { return nil }
            let line = bytes[at..<at + Self.line]
            at += Self.line
            if line.starts(with: "END     ".utf8) { break }
            guard line.dropFirst(8).starts(with: "= ".utf8) else { continue }
            let word = Self.trimmed(String(decoding: line.prefix(8), as: UTF8.self)[...])
            guard Self.words.contains(word) || word.hasPrefix("NAXIS") else { continue }
            values[word] = Self.value(String(decoding: line.dropFirst(10), as: UTF8.self))
        }
        guard let kind = values["BITPIX"].flatMap({ Int($0) }).flatMap(Kind.init),
            let axes = values["NAXIS"].flatMap({ Int($0) }), 0...999 ~= axes
        else { return nil }
        sides = (0..<axes).compactMap { axis in values["NAXIS\(axis + 1)"].flatMap { Int($0) } }
        guard sides.count == axes, sides.allSatisfy({ $0 >= 0 }) else { return nil }
        self.kind = kind
        self.values = values
        self.start = start
        blank = values["BLANK"].flatMap { Int64($0) }
        isTurned = values["BSCALE"]?.hasPrefix("-") ?? false
        end = start + (at - start + Self.block - 1) / Self.block * Self.block
    }

    /// What stands before the remark; of a text, what is between its quotes, and the first of them. A quote in it is there twice.
    private static func value(_ text: String) -> String {
        let text = text.drop { $0 == " " }
        guard text.first == "'" else { return String(trimmed(text.prefix { $0 != "/" })) }
        var rest = text.dropFirst()
        var value = "'"
        while let quote = rest.firstIndex(of: "'") {
            value += rest[..<quote]
            rest = rest[rest.index(after: quote)...]
            guard rest.first == "'" else { break }
            value += "'"
            rest = rest.dropFirst()
        }
        return String(trimmed(value[...]))
    }

    private static func trimmed(_ text: Substring) -> Substring {
        text[..<(text.lastIndex { $0 != " " }.map(text.index(after:)) ?? text.startIndex)]
    }

    /// Where the next part begins; `nil` when that cannot be.
    private var next: Int? {
        func number(_ word: Substring, _ usual: Int) -> Int { values[word].flatMap { Int($0) } ?? usual }
        // Groups (FITS 4.0, 6) have no first side, which says that they are some.
        let isGroups = values["GROUPS"] == "T" && sides.first == 0
        var count = sides.isEmpty ? 0 : 1
        for factor in isGroups ? sides.dropFirst() : sides[...] {
            let (product, overflow) = count.multipliedReportingOverflow(by: factor)
            guard !overflow, product < 1 << 40 else { return nil }
            count = product
        }
        let (groups, more) = (number("GCOUNT", 1), number("PCOUNT", 0))
        guard 0...1 << 14 ~= groups, 0...1 << 40 ~= more else { return nil }
        return end + (numberLength * groups * (count + more) + Self.block - 1) / Self.block * Self.block
    }

    /// The text that a line gives.
    func text(_ word: Substring) -> String? {
        guard let value = values[word], value.first == "'", value.count > 1 else { return nil }
        return String(value.dropFirst())
    }
}

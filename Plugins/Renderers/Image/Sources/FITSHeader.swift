internal import VitrineKit

/// The header of a part of a FITS file (FITS 4.0, 4 and 7): lines of 80 letters in blocks of 2880.
struct FITSHeader {
    /// What the numbers of a picture are (`BITPIX`).
    enum Kind: Int {
        case byte = 8, short = 16, int = 32, long = 64, float = -32, double = -64
    }

    private static let block = 2880, line = 80
    /// Parts that are looked at, and bytes of a header at most.
    private static let mostParts = 256, longest = 4 << 20

    /// What the numbers are.
    let kind: Kind
    /// How many of them there are along each axis.
    let sides: [Int]
    /// Where the header ends, and what it describes begins.
    let end: Int
    /// What the lines say, by their first word, without what is remarked.
    private let values: [Substring: Substring]
    /// Of whole numbers, the one that stands for none.
    private let blank: Int64?
    /// Larger numbers are darker.
    let isTurned: Bool

    /// Bytes of a number.
    var numberLength: Int { abs(kind.rawValue) / 8 }

    /// The header of the first part of a file that is a picture.
    /// - Throws: `corrupt`, `empty` when there is none, `unsupported` for one that is packed.
    static func ofPicture(in bytes: UnsafeRawBufferPointer) throws(PluginError) -> FITSHeader {
        var start = 0
        var isPacked = false
        for _ in 0..<mostParts where start < bytes.count {
            guard let header = FITSHeader(bytes, at: start) else {
                guard start == 0 else { break }
                throw PluginError(.corrupt, "the FITS file is damaged: its header makes no sense")
            }
            let kind = header.text("XTENSION") ?? "IMAGE"
            if kind == "IMAGE", header.sides.count >= 2, header.sides[0] > 0, header.sides[1] > 0 { return header }
            isPacked = isPacked || header.values["ZIMAGE"] == "T"
            guard let next = header.next else { break }
            start = next
        }
        if isPacked {
            throw PluginError(.unsupported, "the picture in the FITS file is packed: unpack it with funpack")
        }
        throw PluginError(.empty, "the FITS file holds no picture")
    }

    private init?(_ bytes: UnsafeRawBufferPointer, at start: Int) {
        var values: [Substring: Substring] = [:]
        var at = start
        while true {
            guard at + Self.line <= bytes.count, at - start < Self.longest else { return nil }
            let text = String(decoding: bytes[at..<at + Self.line], as: UTF8.self)
            at += Self.line
            let word = Self.trimmed(text.prefix(8))
            if word == "END" { break }
            guard text.dropFirst(8).hasPrefix("= ") else { continue }
            values[word] = Self.value(text.dropFirst(10))
        }
        guard let kind = values["BITPIX"].flatMap({ Int($0) }).flatMap(Kind.init),
            let axes = values["NAXIS"].flatMap({ Int($0) }), 0...999 ~= axes
        else { return nil }
        sides = (0..<axes).compactMap { axis in values["NAXIS\(axis + 1)"].flatMap { Int($0) } }
        guard sides.count == axes, sides.allSatisfy({ $0 >= 0 }) else { return nil }
        self.kind = kind
        self.values = values
        blank = values["BLANK"].flatMap { Int64($0) }
        isTurned = values["BSCALE"]?.hasPrefix("-") ?? false
        end = start + (at - start + Self.block - 1) / Self.block * Self.block
    }

    /// What stands before the remark; of a text, what is between its quotes, and the first of them.
    private static func value(_ text: Substring) -> Substring {
        let text = text.drop { $0 == " " }
        let end = text.first == "'" ? text.dropFirst().firstIndex(of: "'") : text.firstIndex(of: "/")
        return trimmed(text[..<(end ?? text.endIndex)])
    }

    private static func trimmed(_ text: Substring) -> Substring {
        text[..<(text.lastIndex { $0 != " " }.map(text.index(after:)) ?? text.startIndex)]
    }

    /// Where the next part begins; `nil` when that cannot be.
    private var next: Int? {
        func number(_ word: Substring, _ usual: Int) -> Int { values[word].flatMap { Int($0) } ?? usual }
        var count = sides.isEmpty ? 0 : 1
        for factor in sides {
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

    /// A number of the picture.
    /// - Parameter at: where it is; all of it must be there.
    /// - Returns: so that a larger one is lighter; `nil` when none is known there.
    func number(of bytes: UnsafeRawBufferPointer, at: Int) -> Double? {
        func load<Number: FixedWidthInteger>(_ type: Number.Type) -> Number {
            Number(bigEndian: bytes.loadUnaligned(fromByteOffset: at, as: type))
        }
        func whole<Number: FixedWidthInteger>(_ number: Number) -> Double? {
            blank.map { $0 == Int64(number) } ?? false ? nil : Double(number)
        }
        let number: Double? =
            switch kind {
            case .byte: whole(bytes[at])
            case .short: whole(load(Int16.self))
            case .int: whole(load(Int32.self))
            case .long: whole(load(Int64.self))
            case .float: Double(Float(bitPattern: load(UInt32.self)))
            case .double: Double(bitPattern: load(UInt64.self))
            }
        guard let number, number.isFinite else { return nil }
        return isTurned ? -number : number
    }
}

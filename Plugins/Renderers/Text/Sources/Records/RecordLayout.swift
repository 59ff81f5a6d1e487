internal import VitrineKit

/// Where the fields of a table's records lie.
struct RecordLayout {
    struct Field {
        var name: ArraySlice<UInt8>
        /// Letters that a name has at most.
        var nameRoom: Int
        var kind: Unicode.Scalar
        var bytes: Range<Int>
        /// The bit of the record that says whether the last byte is the length of the text.
        var lengthBit: Int?
        /// The bit that says whether there is no value.
        var nullBit: Int?
    }

    /// How the header names its fields.
    private enum Style { case second, third, clipper, seventh }

    private(set) var fields: [Field] = []
    /// The bytes of a record.
    let stride: Int
    /// Where the first record is.
    let start: Int
    /// Records as the header counts them; 0 also when it does not.
    let count: Int
    /// The driver of a language.
    let language: UInt8?

    /// Where the bits lie that FoxPro keeps for other fields.
    private var flags: Range<Int>?
    private var isSeventh = false

    /// Bytes of the header of dBase II, which has room for 32 fields.
    private static let secondStart = 521
    /// What ends the list of fields.
    private static let end: UInt8 = 0x0D

    /// Reads the header. There are no fields where it is none.
    /// - Parameter head: the beginning of the file.
    init(_ head: [UInt8]) {
        let isSecond = head.first == 2
        let isLong = head.count >= 12
        stride = !isLong ? 0 : isSecond ? head.number(6..<8) : head.number(10..<12)
        start = !isLong ? 0 : isSecond ? Self.secondStart : head.number(8..<10)
        count = !isLong ? 0 : isSecond ? head.number(1..<3) : head.number(4..<8)
        language = isSecond || head.count < 30 ? nil : head[29]
        guard isLong, stride > 0 else { return }
        // Some programs write the number of dBase 7 and the fields of its forerunners.
        let styles: [Style] =
            isSecond ? [.second] : head[0] & 7 == 4 ? [.seventh, .third, .clipper] : [.third, .clipper]
        for style in styles {
            let isFull = read(head.prefix(start), style)
            if isFull { return }
        }
        for style in styles where style != .clipper {
            _ = read(head.prefix(start), style)
            if !fields.isEmpty { return }
        }
    }

    /// Reads the list of fields, as far as records have room for them.
    /// - Returns: whether they fill a record.
    private mutating func read(_ header: ArraySlice<UInt8>, _ style: Style) -> Bool {
        let (first, size, nameLength, lengthAt) =
            switch style {
            case .second: (8, 16, 11, 12)
            case .third, .clipper: (32, 32, 11, 16)
            case .seventh: (68, 48, 32, 33)
            }
        (fields, flags, isSeventh) = ([], nil, style == .seventh)
        var (at, offset, bit) = (first, 1, 0)
        while at + size <= header.count, header[at] != Self.end {
            let kind = Unicode.Scalar(header[at + nameLength])
            var length = Int(header[at + lengthAt])
            // Clipper has longer texts, whose length continues where numbers have their decimals.
            if style == .clipper, kind == "C" { length += Int(header[at + 17]) << 8 }
            guard offset + length <= stride else { break }
            let name = header[at..<at + nameLength].prefix { $0 != 0 }
            let bytes = offset..<offset + length
            var field = Field(name: name, nameRoom: nameLength - 1, kind: kind, bytes: bytes)
            if style == .third {
                if kind == "V" || kind == "Q" { (field.lengthBit, bit) = (bit, bit + 1) }
                if header[at + 18] & 2 != 0 { (field.nullBit, bit) = (bit, bit + 1) }
            }
            // What a field of FoxPro says of others is none of its own; what nobody knows is passed over.
            if kind == "0" { flags = bytes } else if Self.kinds.contains(kind), length > 0 { fields.append(field) }
            offset += length
            at += size
        }
        return !fields.isEmpty && offset == stride
    }

    /// The letters that stand for what a field holds.
    private static let kinds: Set<Unicode.Scalar> = [
        "C", "N", "F", "D", "L", "M", "G", "P", "I", "T", "Y", "B", "O", "Q", "V", "W", "X", "+", "@",
    ]

    /// The values of a record.
    func cells(of record: ArraySlice<UInt8>) -> [RecordTable.Cell] {
        let record = Array(record)
        return fields.map { field in
            var bytes = record[field.bytes]
            if isSet(field.nullBit, in: record) { bytes = [] }
            let isShort = isSet(field.lengthBit, in: record)
            if isShort, let length = bytes.last { bytes = bytes.prefix(min(Int(length), bytes.count - 1)) }
            let isText = !isShort && (field.kind == "C" || field.kind == "V")
            return RecordTable.Cell(RecordValue.text(bytes, field.kind, isSeventh: isSeventh), isText: isText)
        }
    }

    private func isSet(_ bit: Int?, in record: [UInt8]) -> Bool {
        guard let bit, let flags, bit / 8 < flags.count else { return false }
        return record[flags.lowerBound + bit / 8] >> UInt8(bit % 8) & 1 != 0
    }
}

extension [UInt8] {
    /// A number whose lowest byte comes first.
    fileprivate func number(_ range: Range<Int>) -> Int { Int(littleEndianBytes: self[range]) }
}

internal import VitrineKit

/// The beginning of a table of dBase, FoxPro, Clipper or a program of geographers, as the lines of a text.
///
/// Source of the format: dBase's own description of its "Data File Header Structure", and Microsoft's "Table File
/// Structure" of Visual FoxPro.
struct RecordTable {
    /// Its MIME type.
    static let type = "application/x-dbf"

    /// The names of the fields, and below them the records that are not deleted: cells with tabs between them, in the
    /// table's own encoding.
    let lines: [UInt8]
    /// What the table says of its encoding, by uchardet's name; many say nothing, or what is not so.
    let encoding: String?

    private struct Field {
        var name: ArraySlice<UInt8>
        var kind: Unicode.Scalar
        var bytes: Range<Int>
    }

    /// Records, more than a page shows.
    private static let rowLimit = 60
    /// What ends the list of fields.
    private static let end: UInt8 = 0x0D
    private static let deleted = UInt8(ascii: "*")

    /// Reads a table.
    /// - Parameter bytes: the file, or its beginning.
    /// - Throws: `corrupt` for what is no table.
    init(_ bytes: [UInt8]) throws(PluginError) {
        let length = bytes.count < 12 ? 0 : Self.number(bytes[8..<10])
        let stride = bytes.count < 12 ? 0 : Self.number(bytes[10..<12])
        let fields = Self.fields(bytes.prefix(length), in: stride)
        guard !fields.isEmpty else {
            throw PluginError(
                .corrupt, "the table is damaged: its header names no fields that its records have room for")
        }
        var lines = [fields.map { Self.cell($0.name) }]
        var (at, left) = (length, min(Self.rowLimit, Self.number(bytes[4..<8])))
        // The last one may be cut off.
        while left > 0, at + stride <= bytes.count {
            let record = bytes[at..<at + stride]
            at += stride
            guard record.first != Self.deleted else { continue }
            left -= 1
            lines.append(
                fields.map { field in
                    let start = record.startIndex
                    return Self.cell(
                        Self.value(record[start + field.bytes.lowerBound..<start + field.bytes.upperBound], field.kind))
                })
        }
        self.lines = Array(
            lines.map { $0.joined(separator: [UInt8(ascii: "\t")]) }.joined(separator: [UInt8(ascii: "\n")]))
        encoding = Self.encodings[bytes[29]]
    }

    /// The letters that stand for what a field holds.
    private static let kinds: Set<Unicode.Scalar> = [
        "C", "N", "F", "D", "L", "M", "G", "P", "I", "T", "Y", "B", "O", "Q", "V", "W", "X", "+", "@", "0",
    ]

    /// The fields that the header names, as far as there is room for them.
    private static func fields(_ header: ArraySlice<UInt8>, in stride: Int) -> [Field] {
        // That of dBase 7 has longer names.
        let isLong = header.count > 68 && header[0] & 7 == 4
        let (start, size, nameLength) = isLong ? (68, 48, 32) : (32, 32, 11)
        var (fields, at, offset) = ([Field](), start, 1)
        while at + size <= header.count, header[at] != end {
            var kind = Unicode.Scalar(header[at + nameLength])
            var length = Int(header[isLong ? at + 33 : at + 16])
            // Clipper has longer texts, whose length continues where numbers have their decimals.
            if kind == "C", !isLong, case let long = length + Int(header[at + 17]) << 8, offset + long <= stride {
                length = long
            }
            // Those of dBase 7 have their bytes in another order, and another sign.
            if isLong, kind == "I" || kind == "O" { kind = "+" }
            guard kinds.contains(kind), offset + length <= stride else { break }
            let name = header[at..<at + nameLength].prefix { $0 != 0 }
            // What a field of FoxPro says of others is none of its own.
            if kind != "0", length > 0 { fields.append(Field(name: name, kind: kind, bytes: offset..<offset + length)) }
            offset += length
            at += size
        }
        return fields
    }

    /// A value as people write it.
    private static func value(_ bytes: ArraySlice<UInt8>, _ kind: Unicode.Scalar) -> ArraySlice<UInt8> {
        switch (kind, bytes.count) {
        case ("D", 8) where bytes.allSatisfy { $0 >= 0x30 && $0 <= 0x39 }:
            let (year, month, day) = (bytes.prefix(4), bytes.dropFirst(4).prefix(2), bytes.suffix(2))
            return ArraySlice([year, month, day].joined(separator: [UInt8(ascii: "-")]))
        case ("I", 4): return text("\(Int32(truncatingIfNeeded: number(bytes)))")
        case ("Y", 8): return text("\(Double(Int64(bitPattern: wide(bytes))) / 10_000)")
        case ("B", 8), ("O", 8): return text("\(Double(bitPattern: wide(bytes)))")
        // What lies in another file, and what has a writing of its own, such as pictures and times.
        case ("M", _), ("G", _), ("P", _), ("W", _), ("Q", _), ("B", _), ("T", _), ("@", _), ("+", _): return []
        default: return bytes
        }
    }

    private static func text(_ text: String) -> ArraySlice<UInt8> { ArraySlice(text.utf8) }

    /// Without blanks around it and what has a meaning between cells; with quotes where it has such itself.
    private static func cell(_ bytes: ArraySlice<UInt8>) -> [UInt8] {
        let (blank, quote) = (UInt8(ascii: " "), UInt8(ascii: "\""))
        var cell = bytes.prefix { $0 != 0 }.map { $0 < blank ? blank : $0 }
        while cell.last == blank { cell.removeLast() }
        cell.removeFirst(cell.prefix { $0 == blank }.count)
        guard cell.contains(quote) else { return cell }
        return [quote] + cell.flatMap { $0 == quote ? [quote, quote] : [$0] } + [quote]
    }

    private static func number(_ bytes: ArraySlice<UInt8>) -> Int { bytes.reversed().reduce(0) { $0 << 8 | Int($1) } }

    private static func wide(_ bytes: ArraySlice<UInt8>) -> UInt64 {
        bytes.reversed().reduce(0) { $0 << 8 | UInt64($1) }
    }

    /// The encodings that the byte for the driver of a language stands for.
    private static let encodings: [UInt8: String] = [
        0x02: "IBM850", 0x03: "WINDOWS-1252", 0x57: "WINDOWS-1252", 0x58: "WINDOWS-1252", 0x59: "WINDOWS-1252",
        0x26: "IBM866", 0x65: "IBM866", 0x64: "IBM852", 0xC8: "WINDOWS-1250", 0xC9: "WINDOWS-1251",
        0xCB: "WINDOWS-1253", 0x7D: "WINDOWS-1255", 0x7E: "WINDOWS-1256", 0xCC: "WINDOWS-1257", 0x13: "SHIFT_JIS",
        0x7B: "SHIFT_JIS", 0x4D: "GB18030", 0x7A: "GB18030", 0x4E: "UHC", 0x79: "UHC", 0x4F: "BIG5", 0x78: "BIG5",
        0x7C: "TIS-620", 0x50: "TIS-620", 0x04: "MACINTOSH", 0x96: "MAC-CYRILLIC",
    ]
}

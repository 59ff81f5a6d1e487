internal import VitrineKit

/// The beginning of a table of dBase, FoxPro, Clipper or a program of geographers, as the lines of a text.
///
/// Source of the format: dBase's own description of its "Data File Header Structure", Microsoft's "Table File
/// Structure" of Visual FoxPro, and, for the order of the bytes in numbers of dBase 7, what TDbf reads and writes.
struct RecordTable {
    /// Its MIME type.
    static let type = "application/x-dbf"

    /// The names of the fields, and below them the records that are not deleted: cells with tabs between them, in the
    /// table's own encoding.
    let lines: [UInt8]
    /// What the table says of its encoding, by uchardet's name; many say nothing, or what is not so.
    let encoding: String?

    /// Records, more than a page shows.
    private static let rowLimit = 60
    /// Bytes that are looked through for records that are not deleted: some ten thousand deleted ones may lead.
    private static let searchLimit = 4 << 20
    private static let deleted = UInt8(ascii: "*")
    /// What stands for the end of the file, as in CP/M.
    private static let endOfFile: UInt8 = 0x1A

    /// Reads a table: its head, and records until there are enough for a page.
    /// - Throws: `corrupt` for what is no table; and what reading throws.
    init(_ input: any RandomAccessInput) throws(PluginError) {
        let head = try input.head(TextRenderer.reach)
        let layout = RecordLayout(head)
        guard !layout.fields.isEmpty else {
            throw PluginError(
                .corrupt, "the table is damaged: its header names no fields that its records have room for")
        }
        var rows = [layout.fields.map { Cell($0.name, isText: $0.name.count >= $0.nameRoom) }]
        let stride = layout.stride
        let count = max(1, TextRenderer.reach / stride)
        var (at, size, left) = (layout.start, 0, layout.count == 0 ? Int.max : layout.count)
        search: while left > 0, at < Self.searchLimit {
            let part = try input.bytes(at: Int64(at), count: count * stride)
            // The last one may be cut off.
            for start in Swift.stride(from: 0, through: part.count - stride, by: stride) where left > 0 {
                let record = part[start..<start + stride]
                guard record.first != Self.endOfFile else { break search }
                left -= 1
                guard record.first != Self.deleted else { continue }
                rows.append(layout.cells(of: record))
                size += stride
                guard rows.count <= Self.rowLimit, size < TextRenderer.reach else { break search }
            }
            guard part.count == count * stride else { break }
            at += part.count
        }
        lines = Self.lines(rows)
        encoding = layout.language.flatMap { LanguageDriver.encodings[$0] }
    }

    /// Without the halves of letters at the edges of fields, if all of it is UTF-8 then; else as it is.
    private static func lines(_ rows: [[Cell]]) -> [UInt8] {
        func joined(_ cells: [[[UInt8]]]) -> [UInt8] {
            Array(cells.map { $0.joined(separator: [UInt8(ascii: "\t")]) }.joined(separator: [UInt8(ascii: "\n")]))
        }
        let trimmed = joined(rows.map { $0.map(\.wholeLetters) })
        if trimmed.contains(where: { $0 >= 0x80 }), String(validating: trimmed, as: UTF8.self) != nil { return trimmed }
        return joined(rows.map { $0.map(\.bytes) })
    }
}

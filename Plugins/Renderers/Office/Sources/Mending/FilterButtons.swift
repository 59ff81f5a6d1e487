internal import VitrineKit

/// Leaves out the buttons with which people filter a table. LibreOffice draws them over its heads, and prints them nowhere; rows
/// that a filter hides say so themselves.
///
/// For packages, those of records too; ``FilterRecords`` is for the workbooks of older programs.
enum FilterButtons {
    /// How often the words are looked at in a part. A sheet has them once, and each table.
    private static let mostPlaces = 1024
    /// Bytes of a tag at most.
    private static let tagLimit = 512

    /// The parts of a workbook that have some, without them.
    /// - Parameter changed: parts that are others already.
    /// - Returns: these as well.
    static func partsWithout(
        _ archive: ZipDirectory, in input: any RandomAccessInput, _ format: DocumentFormat,
        changed: [String: [UInt8]] = [:]
    ) -> [String: [UInt8]] {
        guard format.family == .spreadsheet else { return changed }
        return ChangedParts.changing(archive, in: input, changed, where: { mayHaveSome($0, format) }) { part, bytes in
            if format.packing != .openXML { return withoutButtons(bytes) }
            return part.hasSuffix(".bin") ? withoutRecords(bytes) : withoutFilters(bytes)
        }
    }

    private static func mayHaveSome(_ part: String, _ format: DocumentFormat) -> Bool {
        guard format.packing == .openXML else { return part == "content.xml" }
        return (part.hasSuffix(".xml") || part.hasSuffix(".bin"))
            && (part.hasPrefix("xl/worksheets/") || part.hasPrefix("xl/tables/"))
    }

    /// A sheet or a table (ISO/IEC 29500-1, 18.3.1.2) whose filter has a name that nobody knows.
    /// - Returns: as many bytes; `nil` when it has none.
    static func withoutFilters(_ bytes: [UInt8]) -> [UInt8]? {
        replaced("autoFilter", in: bytes) { range, bytes in
            let ends = [UInt8](" \t\r\n/>".utf8)
            guard range.upperBound < bytes.count, ends.contains(bytes[range.upperBound]),
                let start = tagStart(before: range, in: bytes)
            else { return nil }
            let prefix = bytes[(start + 1)..<range.lowerBound]
            return prefix.contains { [UInt8](" \t\r\n".utf8).contains($0) } ? nil : range
        }
    }

    /// A sheet or a table of a workbook in records ([MS-XLSB]), of which those around its filter, `BrtBeginAFilter` and
    /// `BrtEndAFilter`, get a type that nobody knows.
    static func withoutRecords(_ bytes: [UInt8]) -> [UInt8]? {
        var places: [Int] = []
        bytes.withUnsafeBytes { bytes in
            var at = 0
            while at < bytes.count {
                // A type of one byte or two, then a length of up to four, seven bits in each.
                let start = at
                at += bytes[at] & 0x80 == 0 ? 1 : 2
                var (length, bits) = (0, 0)
                repeat {
                    guard at < bytes.count else { return }
                    length |= Int(bytes[at] & 0x7F) << bits
                    bits += 7
                    at += 1
                } while bytes[at - 1] & 0x80 != 0 && bits < 28
                if [0xA1, 0xA2].contains(bytes[start]), bytes[start + 1] == 1 { places.append(start + 1) }
                at += length
            }
        }
        guard !places.isEmpty else { return nil }
        var bytes = bytes
        for place in places { bytes[place] = FilterRecords.unknown }
        return bytes
    }

    /// The content of a workbook in OpenDocument (OpenDocument 1.3, part 3, `table:display-filter-buttons`), the same.
    static func withoutButtons(_ bytes: [UInt8]) -> [UInt8]? {
        replaced("display-filter-buttons=\"true\"", in: bytes) { range, bytes in
            guard tagStart(before: range, in: bytes) != nil else { return nil }
            return (range.upperBound - 5)..<(range.upperBound - 1)
        }
    }

    /// - Parameter place: what of such words is replaced, if they are what they look like.
    private static func replaced(
        _ words: StaticString, in bytes: [UInt8], _ place: (Range<Int>, [UInt8]) -> Range<Int>?
    ) -> [UInt8]? {
        var places: [Range<Int>] = []
        var (at, count) = (0, 0)
        while count < mostPlaces, let found = bytes.withUnsafeBytes({ $0.offset(of: words, from: at) }) {
            at = found + words.utf8CodeUnitCount
            count += 1
            if let place = place(found..<at, bytes) { places.append(place) }
        }
        guard !places.isEmpty else { return nil }
        var bytes = bytes
        for index in places.joined() { bytes[index] = UInt8(ascii: "x") }
        return bytes
    }

    /// Where the tag begins that words stand in; `nil` when they stand in no tag.
    private static func tagStart(before range: Range<Int>, in bytes: [UInt8]) -> Int? {
        let mark = bytes[max(0, range.lowerBound - tagLimit)..<range.lowerBound].lastIndex { "<>".utf8.contains($0) }
        return mark.flatMap { bytes[$0] == UInt8(ascii: "<") ? $0 : nil }
    }
}

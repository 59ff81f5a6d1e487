internal import VitrineKit
internal import XML

/// Gives rows of a workbook in SpreadsheetML that say nothing of their height the one that their letters need, as Excel does when it
/// opens them: programs that write workbooks leave that to it. LibreOffice takes the usual height, and cuts off large letters.
enum RowHeights {
    /// How much higher a row is than its letters: Excel's own of 40 points has 52.5.
    private static let line = 1.3125
    /// Points of a row that says nothing, of letters of 11.
    private static let usual = 15.0
    /// The highest row (ISO/IEC 29500-1 has no limit, Excel this one).
    private static let highest = 409.0
    /// The most rows of a sheet that are looked at: more are hardly ever shown.
    private static let mostRows = 1000

    /// The sheets that have such rows, with their heights.
    /// - Parameter changed: parts that are others already.
    /// - Returns: these as well.
    static func partsWithThem(
        _ archive: ZipDirectory, in input: any RandomAccessInput, _ format: DocumentFormat, changed: [String: [UInt8]]
    ) -> [String: [UInt8]] {
        guard format.packing == .openXML, format.family == .spreadsheet,
            let styles = try? archive.unpacked("xl/styles.xml", limit: ChangedParts.partLimit, in: input)
        else { return changed }
        let heights = heights(styles)
        guard !heights.isEmpty else { return changed }
        return ChangedParts.changing(archive, in: input, changed, where: ChangedParts.isSheet) { _, sheet in
            withHeights(sheet, heights)
        }
    }

    /// How high a row is, in points, whose cells have a style, by the style's number: of those that need more than usual.
    /// - Parameter styles: the part with the styles (ISO/IEC 29500-1, 18.8).
    static func heights(_ styles: [UInt8]) -> [Int: Double] {
        let events = (try? XMLReader("the styles").events(from: styles, isLast: true)) ?? []
        var fonts: [Double] = []
        var found: [Int: Double] = [:]
        var (list, style) = ("", 0)
        for event in events {
            switch event {
            case .start(let name, let attributes):
                switch (list, name.local) {
                case ("", "fonts"), ("", "cellXfs"): list = name.local
                case ("fonts", "font"): fonts.append(0)
                case ("fonts", "sz"):
                    if let last = fonts.indices.last { fonts[last] = attributes["val"].flatMap { Double($0) } ?? 0 }
                case ("cellXfs", "xf"):
                    let font = attributes["fontId"].flatMap { Int($0) } ?? 0
                    let height = fonts.indices.contains(font) ? fonts[font] * line : 0
                    if height > usual { found[style] = min(height, highest) }
                    style += 1
                default: break
                }
            case .end(let name): if name.local == list { list = "" }
            case .text: break
            }
        }
        return found
    }

    /// - Returns: `nil` where no row needs one.
    static func withHeights(_ sheet: [UInt8], _ heights: [Int: Double]) -> [UInt8]? {
        let rows = sheet.withUnsafeBytes { needy(in: $0, heights) }
        guard !rows.isEmpty else { return nil }
        var other: [UInt8] = []
        other.reserveCapacity(sheet.count + rows.count * 32)
        var at = 0
        for row in rows {
            other += sheet[at..<row.place]
            other += Array(" ht=\"\(row.height)\" customHeight=\"1\"".utf8)
            at = row.place
        }
        return other + sheet[at...]
    }

    /// The rows that need a height, by the place behind the name in their tags (ISO/IEC 29500-1, 18.3.1.73).
    private static func needy(
        in sheet: UnsafeRawBufferPointer, _ heights: [Int: Double]
    ) -> [(place: Int, height: Double)] {
        var rows: [(place: Int, height: Double)] = []
        guard sheet.offset(of: "<!") == nil, let start = sheet.offset(of: "<sheetData"),
            let usual = usualRow(String(decoding: sheet[..<start], as: UTF8.self))
        else { return [] }
        var at = start
        var seen = 0
        // Of the row that the walk is in, unless it says how high it is.
        var row: (place: Int, height: Double)?
        func end() { if let known = row, known.height > usual { rows.append(known) } }
        while seen < mostRows, let tag = MarkupTag(in: sheet, from: at) {
            at = tag.end
            if tag.isNamed("row", in: sheet) {
                end()
                row = nil
                if !tag.isEnd { seen += 1 }
                // No other attribute has these letters.
                if !tag.isEnd, !tag.isEmpty, !attributes(of: tag, in: sheet).contains("ht") {
                    row = (tag.name.upperBound, 0)
                }
            } else if tag.isNamed("sheetData", in: sheet), tag.isEnd {
                break
            } else if let known = row, !tag.isEnd, !tag.isEmpty, tag.isNamed("c", in: sheet),
                let style = number(" s=\"", in: attributes(of: tag, in: sheet)), let height = heights[Int(style)]
            {
                row = (known.place, max(known.height, height))
            }
        }
        return rows
    }

    /// How high a row is that says nothing of it (ISO/IEC 29500-1, 18.3.1.81).
    /// - Parameter head: what stands before the rows.
    /// - Returns: `nil` where somebody chose it for all of them.
    private static func usualRow(_ head: String) -> Double? {
        guard let tag = head.firstRange(of: "<sheetFormatPr") else { return usual }
        let attributes = String(head[tag.upperBound...].prefix { $0 != ">" })
        if attributes.contains("customHeight=") || attributes.contains("zeroHeight=") { return nil }
        return number(" defaultRowHeight=\"", in: attributes) ?? usual
    }

    private static func attributes(of tag: MarkupTag, in sheet: UnsafeRawBufferPointer) -> String {
        String(decoding: sheet[tag.name.upperBound..<tag.end], as: UTF8.self)
    }

    /// What an attribute says, where it is a number that can be.
    /// - Parameter start: its name and what stands before its value.
    private static func number(_ start: String, in attributes: String) -> Double? {
        guard let value = attributes.firstRange(of: start),
            let number = Double(attributes[value.upperBound...].prefix { $0 != "\"" }), 0...1e6 ~= number
        else { return nil }
        return number
    }
}

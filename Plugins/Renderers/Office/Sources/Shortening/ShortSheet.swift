internal import PrivateCopies
internal import VitrineKit

/// A workbook in SpreadsheetML whose first sheet is long, or has longer texts than cells can hold, for the beginning of that
/// sheet: the same without most of its rows, see ``SheetHead``, and with these texts cut, see ``CellTexts``.
struct ShortSheet: ShortDocument {
    private let archive: ZipDirectory
    private let input: any RandomAccessInput
    /// The parts that are others, by their names.
    private let contents: [String: [UInt8]]

    /// Looks whether a document is one.
    /// - Returns: `nil` when it has to be read as a whole, as almost all have to be.
    init?(of input: any RandomAccessInput, _ format: DocumentFormat) {
        guard format.packing == .openXML, format.family == .spreadsheet, let archive = try? ZipDirectory(input) else {
            return nil
        }
        var contents: [String: [UInt8]] = [:]
        var parsedSize = archive.parsedSize
        if let (sheet, head) = Self.longSheet(archive, input) {
            contents[sheet.name] = head.bytes
            parsedSize -= sheet.size
        }
        if let (part, texts) = Self.longTexts(archive, input) { contents[part] = texts.bytes }
        guard !contents.isEmpty, parsedSize <= DocumentSniffer.parsedLimit else { return nil }
        self.archive = archive
        self.input = input
        let without = FilterButtons.partsWithout(archive, in: input, format, changed: contents)
        self.contents = RowHeights.partsWithThem(archive, in: input, format, changed: without)
    }

    /// - Returns: `nil` also when the first sheet is hidden, so that another one is drawn, or has a pivot table, which may count
    ///   its rows.
    private static func longSheet(
        _ archive: ZipDirectory, _ input: any RandomAccessInput
    ) -> (sheet: ZipDirectory.Entry, head: SheetHead)? {
        guard archive.entries.contains(where: { $0.size > SheetHead.longSheet && $0.name.hasPrefix("xl/") }) else {
            return nil
        }
        let parts = PackageParts(archive: archive, input: input)
        guard let (part, attributes) = parts.entries(in: "xl/workbook.xml", "sheet", folder: "xl/").first,
            attributes["state"] ?? "visible" == "visible", !parts.mayRelate(part, to: "/pivotTable"),
            let entry = archive.entries.first(where: { $0.name == part }), entry.size > SheetHead.longSheet
        else { return nil }
        return head(of: entry, archive, input).map { (entry, $0) }
    }

    private static func longTexts(
        _ archive: ZipDirectory, _ input: any RandomAccessInput
    ) -> (part: String, texts: CellTexts)? {
        guard archive.entries.contains(where: { $0.size > CellTexts.longPart && $0.name.hasPrefix("xl/") }),
            let part = PackageParts(archive: archive, input: input)
                .part(relatedTo: "xl/workbook.xml", as: "/sharedStrings", folder: "xl/"),
            archive.entries.contains(where: { $0.size > CellTexts.longPart && $0.name == part }),
            let texts = try? archive.unpacked(part, limit: CellTexts.limit, in: input)
        else { return nil }
        return CellTexts(shortening: texts).map { (part, $0) }
    }

    private static func head(
        of entry: ZipDirectory.Entry, _ archive: ZipDirectory, _ input: any RandomAccessInput
    ) -> SheetHead? {
        if entry.size <= SheetHead.limit {
            return (try? archive.unpacked(entry.name, limit: SheetHead.limit, in: input)).flatMap { SheetHead(of: $0) }
        }
        let ends = try? archive.ends(
            of: entry, head: SheetHead.endLimits.head, tail: SheetHead.endLimits.tail, in: input)
        return ends.flatMap { SheetHead(of: $0.head, tail: $0.tail) }
    }

    func copy(in folder: String, suffix: String) throws(PluginError) -> PrivateCopy {
        try PrivateCopy(in: folder, suffix: suffix) { (file) throws(PluginError) in
            try archive.replace(contents, of: input) { (block) throws(PluginError) in
                try PrivateCopy.write(block, to: file)
            }
        }
    }

    /// All sheets are there.
    func allPages(whenShown pages: Int) -> Int? { pages }
}

/// The first rows of a long worksheet (ISO/IEC 29500-1, 18.3.1.99), as many as a picture of it shows and some more.
struct SheetHead {
    /// The part without the rows behind them.
    let bytes: [UInt8]

    /// Sheets that are shorter are read as a whole.
    static let longSheet = 1 << 20
    /// The most bytes of a sheet that is looked at as a whole.
    static let limit = 64 << 20
    /// The most bytes of the beginning and of the end of one that is longer.
    static let endLimits = (head: 8 << 20, tail: 1 << 20)
    /// Bytes that the head has at least.
    private static let wanted = 256 << 10
    /// Twips that its rows are high, at least: a quarter more than is shown.
    private static let height = SheetProbe.largest.height * 5 / 4
    /// Twips of a row that does not say how high it is, at most: letters of five points are hard to read.
    private static let leastRow = 100.0

    /// Cuts off the rest.
    /// - Parameter sheet: the part.
    /// - Returns: `nil` when it has to be read as a whole: what is there is most of it, shows something of the rest, such as
    ///   sums, charts, and colours that tell a cell's rank, or is not understood.
    init?(of sheet: [UInt8]) {
        guard let cut = sheet.withUnsafeBytes({ Self.cut($0) }) else { return nil }
        bytes = Array(sheet[..<cut.lowerBound] + sheet[cut.upperBound...])
    }

    /// Does the same with a sheet of which only both ends are known.
    /// - Returns: `nil` also when the rows that are needed, or what stands behind all of them, go beyond that.
    init?(of head: [UInt8], tail: [UInt8]) {
        let ends = head + tail
        guard let cut = ends.withUnsafeBytes({ Self.cut($0) }), cut.lowerBound <= head.count,
            head.count <= cut.upperBound
        else { return nil }
        bytes = Array(ends[..<cut.lowerBound] + ends[cut.upperBound...])
    }

    private static func cut(_ sheet: UnsafeRawBufferPointer) -> Range<Int>? {
        guard sheet.offset(of: "<!") == nil, let rows = sheet.offset(of: "<sheetData>"),
            let first = firstRow(behindTheHeadOf: sheet, from: rows),
            let end = sheet.offset(of: "</sheetData>", from: first), first - rows < (end - rows) / 2
        else { return nil }
        let kept = UnsafeRawBufferPointer(rebasing: sheet[rows..<first])
        let behind = UnsafeRawBufferPointer(rebasing: sheet[end...])
        guard kept.offset(of: "<f") == nil else { return nil }
        // Those of later versions stand in a list of extensions, with a prefix.
        for words: StaticString in ["rawing", "onditionalFormatting", "<oleObjects", "<controls", "parkline"] {
            guard behind.offset(of: words) == nil else { return nil }
        }
        return first..<end
    }

    /// Where the rows begin that are not needed.
    private static func firstRow(behindTheHeadOf sheet: UnsafeRawBufferPointer, from start: Int) -> Int? {
        var high = 0.0
        let usual = usualRow(sheet[..<start])
        var at = start
        while at - start < wanted || high < Double(height) {
            guard let row = sheet.offset(of: "<row ", from: at), let tag = MarkupTag(in: sheet, from: row) else {
                return nil
            }
            high += twips(of: String(decoding: sheet[row..<tag.end], as: UTF8.self), usual: usual)
            at = tag.end
            if !tag.isEmpty {
                guard let end = sheet.offset(of: "</row>", from: at) else { return nil }
                at = end + 6
            }
        }
        return at
    }

    /// How high a row is at least that says nothing of it, in twips (ISO/IEC 29500-1, 18.3.1.81, `sheetFormatPr`).
    /// - Parameter head: what stands before the rows.
    private static func usualRow(_ head: Slice<UnsafeRawBufferPointer>) -> Double {
        let head = String(decoding: head, as: UTF8.self)
        guard let tag = head.firstRange(of: "<sheetFormatPr") else { return leastRow }
        let attributes = head[tag.upperBound...].prefix { $0 != ">" }
        if attributes.contains(" zeroHeight=") || attributes.contains("'") { return 0 }
        return min(leastRow, points(" defaultRowHeight=\"", in: attributes).map { $0 * 20 } ?? leastRow)
    }

    /// How high a row is at least, in twips. LibreOffice may choose the height of one that nobody chose.
    /// - Parameters:
    ///   - tag: of the row.
    ///   - usual: the height of one that says nothing of it.
    private static func twips(of tag: String, usual: Double) -> Double {
        if tag.contains(" hidden=") || tag.contains(" collapsed=") || tag.contains("'") { return 0 }
        let isChosen = tag.contains(" customHeight=\"1\"") || tag.contains(" customHeight=\"true\"")
        guard let height = points(" ht=\"", in: tag[...]) else { return usual }
        return isChosen ? height * 20 : min(usual, height * 20)
    }

    /// What an attribute says, as a height.
    /// - Parameter start: its name and what stands before its value.
    private static func points(_ start: String, in attributes: Substring) -> Double? {
        guard let value = attributes.firstRange(of: start) else { return nil }
        let points = Double(attributes[value.upperBound...].prefix { $0 != "\"" }) ?? 0
        return max(0, min(points, 409))
    }
}

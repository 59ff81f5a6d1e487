/// The beginning of a long text in WordprocessingML (ISO/IEC 29500-1, 17.2), which is all that its first page needs.
///
/// LibreOffice reads and lays out a text as a whole: ten seconds and 100 MB for some hundred pages. The head is made of the
/// paragraphs and tables at the beginning and of the properties of the section that they are in, which stand at its end.
/// Whether it was long enough can be seen when it is laid out.
struct TextHead {
    /// A part as a document of its own.
    let bytes: [UInt8]

    /// Texts that are shorter are read as a whole.
    static let longText = 1 << 20
    /// The most bytes of a text that is looked at.
    static let limit = 64 << 20
    /// Bytes that the head has at least: some hundred paragraphs.
    private static let wanted = 256 << 10

    /// Pages that the head must have when it is laid out, so that what is missing moves nothing on the first one.
    static let leastPages = 3

    /// Cuts off what follows.
    /// - Parameters:
    ///   - text: the part `word/document.xml`.
    ///   - isCounted: whether fields tell how many pages there are; see ``StatedPageCounts``.
    /// - Returns: `nil` when it has to be read as a whole: what is there is most of it, shows something of the rest, such as
    ///   how many pages there are, or is not understood.
    init?(of text: [UInt8], isCounted: Bool = false) {
        guard let head = text.withUnsafeBytes({ Self.head($0, isCounted) }) else { return nil }
        bytes = head
    }

    /// Whether a part, a header for one, shows something of the rest, or may: how many pages there are, or what stands
    /// elsewhere; also when it is not in UTF-8.
    static func refersToOthers(_ part: [UInt8]) -> Bool {
        // Texts in UTF-16 may be UTF-8 as well, with zeroes in between.
        guard !part.contains(0), String(validating: part, as: UTF8.self) != nil else { return true }
        return part.withUnsafeBytes { refersToOthers($0) }
    }

    /// Bytes of a part that stand outside of tags.
    static func letters(in part: [UInt8]) -> Int {
        part.withUnsafeBytes { bytes in
            var count = 0
            var isTag = false
            for byte in bytes {
                if byte == UInt8(ascii: "<") { isTag = true }
                if !isTag { count += 1 }
                if byte == UInt8(ascii: ">") { isTag = false }
            }
            return count
        }
    }

    private static func head(_ text: UnsafeRawBufferPointer, _ isCounted: Bool) -> [UInt8]? {
        guard let cut = cut(text), cut.end < text.count / 2 else { return nil }
        var head = Array(text[..<cut.end])
        if isCounted { StatedPageCounts.keep(in: &head) }
        let rest = UnsafeRawBufferPointer(rebasing: text[cut.end...])
        guard !head.withUnsafeBytes({ refersToOthers($0) }), let section = section(rest) else { return nil }
        func end(_ name: [UInt8]) -> [UInt8] { Array("</".utf8) + name + Array(">".utf8) }
        head.reserveCapacity(head.count + section.count + 64)
        if let table = cut.open.dropFirst(2).first {
            // Behind a table there is always a paragraph.
            head += end(table) + Array("<".utf8) + table.dropLast(3) + Array("p/>".utf8)
        }
        head += section
        for name in cut.open.prefix(2).reversed() { head += end(name) }
        return head
    }

    /// Where the head ends, and the names of the elements that are open there, the root first: behind a paragraph or table,
    /// or where there is none in the first half of the text, behind a row of the table that goes on there.
    private static func cut(_ text: UnsafeRawBufferPointer) -> (end: Int, open: [[UInt8]])? {
        var open: [[UInt8]] = []
        var row: (end: Int, open: [[UInt8]])?
        var fields = 0
        var at = 0
        while at < text.count / 2, let tag = MarkupTag(in: text, from: at) {
            at = tag.end
            if tag.isEnd {
                guard open.popLast() != nil else { return nil }
            } else if !tag.isEmpty {
                open.append(Array(text[tag.name]))
            }
            if tag.isNamed("fldChar", in: text) {
                let attributes = UnsafeRawBufferPointer(rebasing: text[tag.name.upperBound..<tag.end])
                if attributes.offset(of: "\"begin\"") != nil { fields += 1 }
                if attributes.offset(of: "\"end\"") != nil { fields -= 1 }
            }
            // A table of contents is one field of many paragraphs.
            guard 2...3 ~= open.count, fields == 0, at >= wanted, tag.isEnd, ends(open[1], "body") else { continue }
            if open.count == 2, isBlock(tag, text) { return (at, open) }
            if open.count == 3, row == nil, tag.isNamed("tr", in: text), ends(open[2], "tbl") { row = (at, open) }
        }
        return row
    }

    private static func ends(_ name: [UInt8], _ local: String) -> Bool {
        name.suffix(local.utf8.count).elementsEqual(local.utf8)
    }

    private static func isBlock(_ tag: MarkupTag, _ text: UnsafeRawBufferPointer) -> Bool {
        tag.isNamed("p", in: text) || tag.isNamed("tbl", in: text) || tag.isNamed("sdt", in: text)
    }

    /// Whether there are fields that show what stands elsewhere (ISO/IEC 29500-1, 17.16.5), in capitals as programs write
    /// them or in small letters as people do. The numbers of pages in a table of contents are text.
    static func refersToOthers(_ kept: UnsafeRawBufferPointer) -> Bool {
        func has(_ words: StaticString) -> Bool { kept.offset(of: words) != nil }
        // NUMPAGES and SECTIONPAGES among them, which may be in pieces.
        let fields: [StaticString] = ["PAGES", "numpages", "sectionpages", "NOTEREF", "noteref"]
        if fields.contains(where: has) || hasReference(kept) { return true }
        return (has("PAGEREF") || has("pageref")) && !has(" TOC ") && !has(">TOC<")
    }

    /// Whether there is a field REF, in capitals as programs write it: texts have "ref" besides. The name may begin the
    /// field's code or follow a blank, and be all of it where the code is in pieces.
    private static func hasReference(_ kept: UnsafeRawBufferPointer) -> Bool {
        var from = 0
        while let found = kept.offset(of: "REF", from: from) {
            from = found + 3
            let isEnd = from == kept.count || kept[from] <= UInt8(ascii: " ") || kept[from] == UInt8(ascii: "<")
            let isStart = found == 0 || !(UInt8(ascii: "A")...UInt8(ascii: "Z") ~= kept[found - 1] & 0xDF)
            if isStart, isEnd { return true }
        }
        return false
    }

    /// The properties of the section that goes on where the rest begins: the next ones.
    private static func section(_ rest: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer? {
        var from = 0
        while let found = rest.offset(of: "sectPr", from: from) {
            from = found
            // Back over a prefix, to where the tag begins.
            guard let start = rest[max(0, from - 16)..<from].lastIndex(of: UInt8(ascii: "<")),
                let tag = MarkupTag(in: rest, from: start)
            else { return nil }
            if !tag.isEnd, tag.isNamed("sectPr", in: rest) {
                if tag.isEmpty { return UnsafeRawBufferPointer(rebasing: rest[start..<tag.end]) }
                return element(tag, start, rest)
            }
            from = max(tag.end, from + 1)
        }
        return nil
    }

    /// A section's properties to their end; `nil` when that is missing.
    private static func element(
        _ first: MarkupTag, _ start: Int, _ text: UnsafeRawBufferPointer
    ) -> UnsafeRawBufferPointer? {
        var depth = 1
        var at = first.end
        while let tag = MarkupTag(in: text, from: at) {
            at = tag.end
            if tag.isEnd { depth -= 1 } else if !tag.isEmpty { depth += 1 }
            if depth == 0 {
                return tag.isNamed("sectPr", in: text) ? UnsafeRawBufferPointer(rebasing: text[start..<at]) : nil
            }
        }
        return nil
    }
}

internal import VitrineKit

/// The texts of a workbook's cells (ISO/IEC 29500-1, 18.4.9, `sst`), without what is seen of no cell.
///
/// Some megabytes of one letter take a few kilobytes in a package, any number of cells may refer to them, and LibreOffice
/// measures them anew for each.
struct CellTexts {
    /// The part, with its long texts cut.
    let bytes: [UInt8]

    /// Parts that are shorter are left as they are.
    static let longPart = 256 << 10
    /// The most bytes of a part that is looked at.
    static let limit = 64 << 20
    /// Characters of a text that are kept: more than can be seen of a cell. It may have 32,767 ("Excel specifications and limits"), is at
    /// most 409 points high and 255 characters wide, and a printed page has some thousand.
    static let longestText = 10_000
    /// Bytes of a reference to a character, at most.
    private static let longestReference = 12

    /// Cuts texts that are longer than is seen of a cell.
    /// - Parameter part: the part.
    /// - Returns: `nil` when none is, and when one is written in a way that is not understood.
    init?(shortening part: [UInt8]) {
        guard let excesses = part.withUnsafeBytes({ Self.excesses(in: $0) }), !excesses.isEmpty else { return nil }
        var kept: [UInt8] = []
        var at = 0
        for excess in excesses {
            kept += part[at..<excess.lowerBound]
            at = excess.upperBound
        }
        bytes = kept + part[at...]
    }

    /// What of each long text is too much.
    private static func excesses(in part: UnsafeRawBufferPointer) -> [Range<Int>]? {
        var found: [Range<Int>] = []
        var start = 0
        while start < part.count {
            let end = part.offset(of: "</si>", from: start).map { $0 + 5 } ?? part.count
            if end - start > longestText {
                let texts = UnsafeRawBufferPointer(rebasing: part[start..<end])
                guard let more = excesses(ofTexts: texts) else { return nil }
                found += more.map { $0.lowerBound + start..<$0.upperBound + start }
            }
            start = end
        }
        return found
    }

    /// What of some texts is too much. A text may be in several runs (18.4.4, `r`).
    /// - Parameter texts: the element of one text with what stands before it, or of several.
    private static func excesses(ofTexts texts: UnsafeRawBufferPointer) -> [Range<Int>]? {
        // Not in comments and in what is not parsed, and in no encoding of two bytes.
        guard texts.offset(of: "<!") == nil, texts.offset(of: "\0") == nil else { return nil }
        var found: [Range<Int>] = []
        var (at, charactersLeft, isText) = (0, longestText, false)
        while let tag = MarkupTag(in: texts, from: at) {
            let end = texts.offset(of: "<", from: at) ?? tag.end
            // Elsewhere stand line breaks for people.
            if isText {
                let kept = prefix(of: UnsafeRawBufferPointer(rebasing: texts[at..<end]), &charactersLeft)
                if at + kept < end { found.append(at + kept..<end) }
            }
            if tag.isNamed("si", in: texts) { charactersLeft = longestText }
            isText = tag.isNamed("t", in: texts) && !tag.isEnd && !tag.isEmpty
            at = tag.end
        }
        return found
    }

    /// The bytes of as many characters as are left, references to characters being one each.
    private static func prefix(of text: UnsafeRawBufferPointer, _ charactersLeft: inout Int) -> Int {
        var at = 0
        while at < text.count {
            if text[at] & 0xC0 != 0x80 {
                guard charactersLeft > 0 else { return at }
                charactersLeft -= 1
            }
            if text[at] == UInt8(ascii: "&"),
                let end = text[at...].prefix(longestReference).firstIndex(of: UInt8(ascii: ";"))
            {
                at = end
            }
            at += 1
        }
        return at
    }
}

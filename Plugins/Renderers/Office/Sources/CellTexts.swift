internal import VitrineKit

/// The texts of a workbook's cells (ISO/IEC 29500-1, 18.4.9, `sst`), without what no cell can hold.
///
/// Some megabytes of one letter take a few kilobytes in a package, any number of cells may refer to them, and LibreOffice
/// measures them anew for each.
struct CellTexts {
    /// The part, with its long texts cut.
    let bytes: [UInt8]

    static let part = "xl/sharedStrings.xml"
    /// Parts that are shorter are left as they are.
    static let longPart = 256 << 10
    /// The most bytes of a part that is looked at.
    static let limit = 64 << 20
    /// Characters of a cell at most, as "Excel specifications and limits" says.
    static let longestText = 32_767
    /// Bytes of the longest reference to a character that is looked for where a text is cut.
    private static let longestReference = 12

    /// Cuts texts that are longer than a cell's.
    /// - Parameter part: the part.
    /// - Returns: `nil` when none is.
    init?(shortening part: [UInt8]) {
        let long = part.withUnsafeBytes { Self.excesses(in: $0) }
        guard !long.isEmpty else { return nil }
        var kept: [UInt8] = []
        var at = 0
        for excess in long {
            kept += part[at..<excess.lowerBound]
            at = excess.upperBound
        }
        bytes = kept + part[at...]
    }

    /// What of each long text is too much.
    private static func excesses(in part: UnsafeRawBufferPointer) -> [Range<Int>] {
        var found: [Range<Int>] = []
        var start = 0
        while let end = part.offset(of: "<", from: start) {
            if end - start > longestText, let cut = cut(UnsafeRawBufferPointer(rebasing: part[start..<end])) {
                found.append(start + cut..<end)
            }
            guard let behind = part.offset(of: ">", from: end) else { break }
            start = behind + 1
        }
        return found
    }

    /// Where a text is as long as it may be: between two characters, and in no reference to one.
    private static func cut(_ text: UnsafeRawBufferPointer) -> Int? {
        var characters = 0
        for at in text.indices where text[at] & 0xC0 != 0x80 {
            guard characters == longestText else {
                characters += 1
                continue
            }
            let reference = text[..<at].suffix(longestReference).lastIndex(of: UInt8(ascii: "&"))
            guard let reference, !text[reference..<at].contains(UInt8(ascii: ";")) else { return at }
            return reference
        }
        return nil
    }
}

internal import MIME

/// The beginning of a long text in Rich Text Format (Microsoft's specification 1.9.1), which is all that its first page needs:
/// LibreOffice reads and lays out a text as a whole, which takes seconds for some ten thousand lines.
struct RichTextHead {
    /// As a document of its own.
    let bytes: [UInt8]
    /// How many pages the document says that it has.
    let statedPages: Int?

    /// Paragraphs and rows of tables that the head has at least.
    private static let wanted = 400
    /// So many bytes of a picture count as a paragraph.
    private static let pictureBytes = 64 << 10
    /// Groups whose content is not in the run of the text, or must not be cut.
    private static let apart: Set<[UInt8]> = Set(
        [
            "*", "field", "footer", "footerf", "footerl", "footerr", "footnote", "header", "headerf", "headerl",
            "headerr",
            "info", "object", "pict", "shp",
        ].map { Array($0.utf8) })
    /// Groups in groups, and words, that are followed.
    private static let limits = (depth: 1000, words: 2_000_000)

    /// Cuts off what follows.
    /// - Parameter text: the document, or its beginning.
    /// - Returns: `nil` when the whole has to be read: there is not more of it, it shows something of the rest, such as how many
    ///   pages there are, or it is not understood.
    init?(of text: [UInt8]) {
        guard text.starts(with: #"{\rtf"#.utf8) else { return nil }
        var scan = Scan()
        guard let (end, depth) = text.withUnsafeBytes({ scan.cut($0) }) else { return nil }
        var head = Array(text[..<end])
        // What is read in fields was written with what the document says.
        if scan.statedPages ?? 0 >= TextHead.leastPages { StatedPageCounts.keep(in: &head) }
        guard !head.withUnsafeBytes({ TextHead.refersToOthers($0) }) else { return nil }
        bytes = head + Array(repeating: UInt8(ascii: "}"), count: depth)
        statedPages = scan.statedPages
    }

    /// A walk through the text up to where it is cut.
    private struct Scan {
        var statedPages: Int?
        /// Of each group that is open, whether it is no part of the text.
        private var groups: [Bool] = []
        private var isGroupNew = false
        private var isRow = false
        /// The picture that is open: groups around it, and where it begins.
        private var picture: (depth: Int, start: Int)?
        private var weight = 0

        /// Where the head ends, and the groups that are open there.
        mutating func cut(_ text: UnsafeRawBufferPointer) -> (end: Int, depth: Int)? {
            var (at, words) = (0, 0)
            while at < text.count {
                let byte = text[at]
                at += 1
                switch byte {
                case UInt8(ascii: "{"):
                    guard groups.count < limits.depth else { return nil }
                    groups.append(groups.last ?? false)
                    isGroupNew = true
                case UInt8(ascii: "}"):
                    guard groups.popLast() != nil, !groups.isEmpty else { return nil }
                    isGroupNew = false
                    if let picture, picture.depth > groups.count {
                        weight += (at - picture.start) / pictureBytes
                        self.picture = nil
                    }
                case UInt8(ascii: "\\"):
                    words += 1
                    guard words <= limits.words, let word = RichTextWord(in: text, &at) else { return nil }
                    if take(word, &at), weight >= wanted, groups.last == false, !isRow { return (at, groups.count) }
                // White space between a group's beginning and the word that says what it is.
                default: if byte > UInt8(ascii: " ") { isGroupNew = false }
                }
            }
            return nil
        }

        /// - Returns: whether a paragraph or a row ends here.
        private mutating func take(_ word: RichTextWord, _ at: inout Int) -> Bool {
            if isGroupNew, apart.contains(word.name), let last = groups.indices.last { groups[last] = true }
            isGroupNew = false
            switch String(decoding: word.name, as: UTF8.self) {
            case "pict": picture = (groups.count, at)
            case "bin": at += max(0, word.number ?? 0)
            case "nofpages": statedPages = word.number.flatMap { 1...1_000_000 ~= $0 ? $0 : nil }
            case "trowd": isRow = true
            case "row": isRow = false; fallthrough
            case "par", "sect", "page", "line", "\n", "\r":
                weight += 1
                return word.name != Array("line".utf8)
            default: break
            }
            return false
        }
    }
}

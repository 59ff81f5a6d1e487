internal import PrivateCopies
internal import VitrineKit

/// A package whose text is long, for its first page: the same without most of the text; see ``TextHead``.
struct ShortText: ShortDocument {
    private let archive: ZipDirectory
    private let input: any RandomAccessInput
    private let head: TextHead
    /// Headers and footers that are changed, by their names.
    private let headers: [String: [UInt8]]
    /// Pages of the whole text as its properties say, which are those of the program that wrote it last; `nil` when they say
    /// nothing.
    private let statedPages: Int?
    /// How many times as long as the head the whole text is.
    private let ratio: Double

    private static let part = "word/document.xml"
    /// The most headers and footers that are looked into, and the most bytes of all of them, unpacked.
    private static let headerLimit = (count: 64, bytes: 1 << 20)

    /// Looks whether a document is one.
    /// - Returns: `nil` when it has to be read as a whole, as almost all have to be.
    init?(of input: any RandomAccessInput, _ format: DocumentFormat) {
        guard format.packing == .openXML, format.family == .text, let archive = try? ZipDirectory(input),
            let entry = archive.entries.first(where: { $0.name == Self.part }), entry.size > TextHead.longText,
            archive.parsedSize - entry.size <= DocumentSniffer.parsedLimit,
            let text = try? archive.unpacked(Self.part, limit: TextHead.limit, in: input)
        else { return nil }
        statedPages = try? EmbeddedPicture.pages(archive, input, format)
        // The program that wrote the document laid it out, and what is read in its fields is right.
        let isCounted = statedPages ?? 0 >= TextHead.leastPages
        guard let headers = Self.headers(archive, input, isCounted), let head = TextHead(of: text, isCounted: isCounted)
        else { return nil }
        self.archive = archive
        self.input = input
        self.head = head
        self.headers = headers
        // Tables have much markup for a page of them and few letters, running text the reverse: the mean is near for both.
        let letters = Double(TextHead.letters(in: text)) / Double(max(1, TextHead.letters(in: head.bytes)))
        ratio = (letters * Double(text.count) / Double(head.bytes.count)).squareRoot()
    }

    func copy(in folder: String, suffix: String) throws(PluginError) -> PrivateCopy {
        try PrivateCopy(in: folder, suffix: suffix) { (file) throws(PluginError) in
            try archive.replace(headers.merging([Self.part: head.bytes]) { $1 }, of: input) {
                (block) throws(PluginError) in
                try PrivateCopy.write(block, to: file)
            }
        }
    }

    /// What the properties say, where that can be right: programs that write texts without laying them out often say 1. Else
    /// as many as it probably has, if it goes on as it begins.
    func allPages(whenShown pages: Int) -> Int? {
        guard pages >= TextHead.leastPages else { return nil }
        if let statedPages, statedPages >= pages { return statedPages }
        return max(pages, Int((Double(pages) * ratio).rounded()))
    }

    /// The headers and footers in which fields that tell how many pages there are keep what they say.
    /// - Returns: `nil` where one of them shows something of the rest, or may: also when there are too many to look into.
    private static func headers(
        _ archive: ZipDirectory, _ input: any RandomAccessInput, _ isCounted: Bool
    ) -> [String: [UInt8]]? {
        let headers = archive.entries.filter { $0.name.hasPrefix("word/header") || $0.name.hasPrefix("word/footer") }
        var bytesLeft = headerLimit.bytes
        guard headers.count <= headerLimit.count else { return nil }
        var changed: [String: [UInt8]] = [:]
        for header in headers {
            guard let bytes = try? archive.unpacked(header.name, limit: bytesLeft, in: input) else { return nil }
            bytesLeft -= bytes.count
            var kept = bytes
            if isCounted { StatedPageCounts.keep(in: &kept) }
            if TextHead.refersToOthers(kept) { return nil }
            if kept != bytes { changed[header.name] = kept }
        }
        return changed
    }
}

internal import VitrineKit

/// A package whose text is long, for its first page: the same without most of the text; see ``TextHead``.
struct ShortText {
    private let archive: ZipDirectory
    private let input: any RandomAccessInput
    private let head: TextHead
    /// Pages of the whole text as its properties say, which are those of the program that wrote it last.
    private let statedPages: Int?

    private static let part = "word/document.xml"
    /// The most bytes of a header that is looked into.
    private static let headerLimit = 1 << 20

    /// Looks whether a document is one.
    /// - Returns: `nil` when it has to be read as a whole, as almost all have to be.
    init?(of input: any RandomAccessInput, _ format: DocumentFormat) {
        guard format.packing == .openXML, format.family == .text, let archive = try? ZipDirectory(input),
            let entry = archive.entries.first(where: { $0.name == Self.part }), entry.size > TextHead.longText,
            let text = try? archive.unpacked(Self.part, limit: TextHead.limit, in: input),
            !Self.countsPagesInHeaders(archive, input), let head = TextHead(of: text)
        else { return nil }
        self.archive = archive
        self.input = input
        self.head = head
        statedPages = try? EmbeddedPicture.pages(archive, input, format)
    }

    /// Writes it.
    func copy(in folder: String, suffix: String) throws(PluginError) -> PrivateCopy {
        try PrivateCopy(in: folder, suffix: suffix) { (file) throws(PluginError) in
            try archive.replace(Self.part, with: head.bytes, of: input) { (block) throws(PluginError) in
                try PrivateCopy.write(block, to: file)
            }
        }
    }

    /// Whether the first page is that of the whole text.
    /// - Parameter pages: of this one, as it is laid out.
    func isEnough(pages: Int) -> Bool { pages >= TextHead.leastPages }

    /// Pages of the whole text; `nil` when its properties cannot be right.
    /// - Parameter pages: of this one.
    func allPages(atLeast pages: Int) -> Int? { statedPages.flatMap { $0 >= pages ? $0 : nil } }

    private static func countsPagesInHeaders(_ archive: ZipDirectory, _ input: any RandomAccessInput) -> Bool {
        archive.entries.contains { entry in
            guard entry.name.hasPrefix("word/header") || entry.name.hasPrefix("word/footer") else { return false }
            guard let bytes = try? archive.unpacked(entry.name, limit: headerLimit, in: input) else { return true }
            return TextHead.countsPages(bytes)
        }
    }
}

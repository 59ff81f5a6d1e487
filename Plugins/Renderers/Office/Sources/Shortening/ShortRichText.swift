internal import PrivateCopies
internal import VitrineKit

/// A long text in Rich Text Format, for its first page: the same without most of the text; see ``RichTextHead``.
struct ShortRichText: ShortDocument {
    private let head: RichTextHead
    /// How many times as long as the head the whole text is.
    private let ratio: Double

    /// Texts that are shorter are read as a whole.
    private static let longText: Int64 = 1 << 20
    /// The most bytes that are looked at: pictures on the first pages may be large.
    private static let limit = 64 << 20

    /// Looks whether a document is one.
    /// - Returns: `nil` when it has to be read as a whole, as almost all have to be.
    init?(of input: any RandomAccessInput, _ format: DocumentFormat) {
        guard format.packing == .richText, input.size > Self.longText, let bytes = try? input.head(Self.limit),
            let head = RichTextHead(of: bytes), Int64(head.bytes.count) < input.size / 2
        else { return nil }
        self.head = head
        ratio = Double(input.size) / Double(head.bytes.count)
    }

    func copy(in folder: String, suffix: String) throws(PluginError) -> PrivateCopy {
        try PrivateCopy(in: folder, suffix: suffix) { (file) throws(PluginError) in
            try PrivateCopy.write(head.bytes, to: file)
        }
    }

    /// What the document says of itself, where that can be right, else as many as it probably has.
    func allPages(whenShown pages: Int) -> Int? {
        guard pages >= TextHead.leastPages else { return nil }
        if let stated = head.statedPages, stated >= pages { return stated }
        return max(pages, Int((Double(pages) * ratio).rounded()))
    }
}

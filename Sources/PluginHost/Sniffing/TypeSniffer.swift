/// Tells what an item is by its first bytes, and by its name where they leave a choice.
///
/// May be used from any task. Never reads a file.
public struct TypeSniffer: Sendable {
    private let magic: [MagicPattern]

    /// How many bytes of an item's beginning are wanted.
    public static let headSize = MagicPattern.reach

    /// Creates a sniffer.
    /// - Parameter magic: the patterns of the installed renderers, the most trusted first; see
    ///   ``RendererRegistry/magic``.
    public init(magic: [MagicPattern]) {
        // Stable, so that of equally specific patterns the more trusted one stays first.
        self.magic = magic.enumerated().sorted {
            ($1.element.specificity, $0.offset) < ($0.element.specificity, $1.offset)
        }.map(\.element)
    }

    /// What a name alone says: a guess, for items that are not opened.
    /// - Parameter name: the bytes of the name.
    public func type(name: [UInt8]) -> SniffedType {
        SniffedType(mimeType: ContentType.of(name: name, []).lowercased(), found: .name)
    }

    /// The type of an item.
    ///
    /// The content comes first: the pattern of a manifest that agrees in the most bytes, then the shared MIME
    /// database, then the inside of a zip. The name only refines it to a variety of what the content is (a zip named
    /// `.odg`, a text named `.md`). When the content is not recognised at all the name's type is the answer: a
    /// renderer then says that the file is not what its name says.
    /// - Parameters:
    ///   - head: the first ``headSize`` bytes, or all that there are.
    ///   - name: the bytes of its name; may be empty.
    ///   - size: bytes in all.
    public func type(head: [UInt8], name: [UInt8], size: Int64) -> SniffedType {
        guard size != 0, !head.isEmpty else { return SniffedType(mimeType: ContentType.empty, found: .content) }
        let head = head.count > Self.headSize ? Array(head[..<Self.headSize]) : head
        let byMagic = magic.first { $0.matches(head) }
        var content = byMagic?.type ?? ContentType.of(head)
        if byMagic == nil, Self.words.contains(content), !head.contains(0) { content = ContentType.text }
        let named = ContentType.of(name: name, head)
        if let inside = ZipContents(head)?.type(named: named) { content = inside }
        if refines(named, content) { return SniffedType(mimeType: named.lowercased(), found: .name) }
        return SniffedType(mimeType: content.lowercased(), found: byMagic?.type == content ? .magic : .content)
    }

    /// Whether a name's type says more than the content's, and nothing else.
    private func refines(_ named: String, _ content: String) -> Bool {
        if named == ContentType.unknown || ContentType.equal(named, content) { return false }
        // "Text" only means that there is nothing that text does not have: an HTML page may be named .pdf.
        if content == ContentType.unknown || content == ContentType.text { return true }
        if ContentType.isA(named, content) { return true }
        if content == "application/zip" { return Self.zipped.contains(named) }
        return content == "application/x-ole-storage" && Self.compound.contains { named.hasPrefix($0) }
    }

    /// Types that the shared MIME database knows by a word at the beginning alone, with which text may begin as well.
    private static let words: Set = ["image/x-icns", "application/x-blender"]

    /// Types whose documents are compound files (MS-CFB) without the shared MIME database saying so. Those of Office
    /// Open XML are when they are encrypted (MS-OFFCRYPTO, section 2.3.1): their renderer then asks for the password.
    private static let compound = [
        "application/vnd.ms-", "application/vnd.openxmlformats-officedocument.", "application/vnd.stardivision.",
        "application/vnd.visio", "application/x-hwp",
    ]

    /// Types whose newer documents are zip files without the shared MIME database, or the file itself, saying so.
    private static let zipped: Set = ["application/vnd.corel-draw"]
}

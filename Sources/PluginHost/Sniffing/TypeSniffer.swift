/// Tells what an item is by its first bytes, and by its name where they leave a choice.
///
/// May be used from any task. Never reads a file.
public struct TypeSniffer: Sendable {
    private let magic: [MagicPattern]
    /// Those of the patterns, side by side: hardly any pattern is looked at besides.
    private let landmarks: [(offset: Int, byte: UInt8)?]

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
        landmarks = self.magic.map(\.landmark)
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
    /// `.odg`, a text named `.md`), and a text named as one is believed not to be what it only mentions (``Mention``).
    /// When the content is not recognised at all the name's type is the answer: a renderer then says that the file is not
    /// what its name says.
    /// - Parameters:
    ///   - head: the first ``headSize`` bytes, or all that there are.
    ///   - name: the bytes of its name; may be empty.
    ///   - size: bytes in all.
    public func type(head: [UInt8], name: [UInt8], size: Int64) -> SniffedType {
        guard size != 0, !head.isEmpty else { return SniffedType(mimeType: ContentType.empty, found: .content) }
        let head = head.count > Self.headSize ? Array(head[..<Self.headSize]) : head
        var byMagic = pattern(of: head)
        if byMagic?.type == Self.stream, !head.contains(0) { byMagic = nil }
        var content = byMagic?.type ?? ContentType.of(head)
        if byMagic == nil, Self.words.contains(content), !head.contains(0) { content = ContentType.text }
        if byMagic == nil, content == Self.icon, head.count < 5 || head[4] == 0 { content = ContentType.unknown }
        if byMagic == nil, content == ContentType.unknown, head.contains(0), PacketStream.isSeen(in: head) {
            content = Self.stream
        }
        if byMagic == nil, WindowsFont.isSeen(in: head) { content = WindowsFont.type }
        if byMagic == nil, content == Self.studio {
            content = head.contains(0) ? ContentType.unknown : ContentType.text
        }
        var named = ContentType.of(name: name, head)
        if byMagic == nil, content == Self.comments {
            content = head.contains(0) ? ContentType.unknown : ContentType.text
            // A name with several types means the one that is text, unless it is this one.
            if named != Self.comments { named = ContentType.of(name: name, Array("text\n".utf8)) }
        }
        // What is told by the first element of a document, or by so many bytes, is no mention.
        if byMagic.map({ $0.specificity < Self.mentionedBytes }) ?? true,
            let text = textOnlyMentioning(content, name, named, head, isAll: size <= Int64(head.count))
        {
            (byMagic, content, named) = (nil, ContentType.text, text)
        }
        if byMagic == nil, content == Self.drawing, let other = otherThanDrawing(named, head) { content = other }
        if byMagic == nil, content == Self.page, let other = otherThanPage(named, head) { content = other }
        if content == ContentType.text || content == ContentType.unknown && OfficeText.isUTF16(head),
            let type = OfficeText.type(named: named, head)
        {
            return SniffedType(mimeType: type, found: .content)
        }
        if let inside = ZipContents(head)?.type(named: named) { content = inside }
        if refines(named, content, isKnown: byMagic != nil) {
            return SniffedType(mimeType: named.lowercased(), found: .name)
        }
        return SniffedType(mimeType: content.lowercased(), found: byMagic?.type == content ? .magic : .content)
    }

    /// The first pattern that agrees with the beginning of a file.
    private func pattern(of head: [UInt8]) -> MagicPattern? {
        for (index, landmark) in landmarks.enumerated() {
            if let landmark, landmark.offset >= head.count || head[landmark.offset] != landmark.byte { continue }
            if magic[index].matches(head) { return magic[index] }
        }
        return nil
    }

    /// Bytes of a pattern with which no text begins by chance.
    private static let mentionedBytes = 16

    /// What kind of text a file is by its name that was taken for another type, the mark of which it only mentions.
    private func textOnlyMentioning(
        _ content: String, _ name: [UInt8], _ named: String, _ head: [UInt8], isAll: Bool
    ) -> String? {
        guard !name.isEmpty, Mention.isOnly(content, in: head, isAll: isAll) else { return nil }
        // A name with several types means the one that is text.
        let text = ContentType.of(name: name, Array("text\n".utf8))
        // A name that says nothing is not called text for the sake of the line above.
        let isText = ContentType.isA(named, ContentType.text) || ContentType.equal(named, content)
        guard isText, ContentType.isA(text, ContentType.text), !ContentType.equal(text, content) else { return nil }
        return text
    }

    /// Whether a name's type says more than the content's, and nothing else.
    /// - Parameter isKnown: whether a plugin's pattern told the content.
    private func refines(_ named: String, _ content: String, isKnown: Bool) -> Bool {
        if named == ContentType.unknown || ContentType.equal(named, content) { return false }
        // "Text" only means that there is nothing that text does not have: an HTML page may be named .pdf.
        if content == ContentType.text { return !Self.neverTexts.contains(named) && !named.hasSuffix("-rom") }
        if content == ContentType.unknown { return true }
        if ContentType.isA(named, content) { return true }
        // A page that was saved whole is written as a message is.
        if content == "message/rfc822" { return named == "application/x-mimearchive" }
        // What a text is about is guessed by words of it: "use strict" is Perl, and "package" Modelica.
        if !isKnown, ContentType.isA(content, ContentType.text), content != Self.page, !isMarkup(content) {
            return ContentType.isA(named, ContentType.text) && !ContentType.isA(content, named)
        }
        if content == Self.xml { return isMarkup(named) }
        if content == "application/zip" { return Self.zipped.contains(named) }
        if content == "application/gzip" { return Self.gzipped.contains(named) }
        if Self.alike.contains(content) { return Self.alike.contains(named) }
        return content == "application/x-ole-storage" && Self.compound.contains { named.hasPrefix($0) }
    }

    /// What a file is that was taken for a page of the web, and whose name means another type with which it may begin so.
    private func otherThanPage(_ named: String, _ head: [UInt8]) -> String? {
        if head.starts(with: "<?xml".utf8), let element = XMLHead.element(head), !element.elementsEqual("html".utf8) {
            return Self.xml
        }
        let isText = ContentType.isA(named, ContentType.text) && !ContentType.isA(named, Self.page)
        guard isText || isMarkup(named) else { return nil }
        return switch Markup.beginning(head) {
        case .page: nil
        case .comment: isMarkup(named) ? Self.xml : ContentType.text
        case .element: ContentType.equal(named, Self.markdown) ? ContentType.text : nil
        case .words: isText ? ContentType.text : nil
        }
    }

    /// What a file is that was taken for a drawing and is one of the many that only mention one: pages, XML and programs.
    private func otherThanDrawing(_ named: String, _ head: [UInt8]) -> String? {
        let element = XMLHead.element(head)
        // Of a prolog that goes on behind the head nobody knows what follows.
        if element.map({ $0.elementsEqual("svg".utf8) }) ?? XMLHead.mayFollow(head) { return nil }
        if ContentType.isA(named, Self.page) || Markup.beginning(head) == .page { return Self.page }
        if head.starts(with: "<?xml".utf8) { return Self.xml }
        return head.contains(0) ? ContentType.unknown : ContentType.text
    }

    private func isMarkup(_ type: String) -> Bool {
        ContentType.isA(type, Self.xml) || Self.markup.contains(type)
    }

    /// A type that the shared MIME database knows by a comment at the beginning alone, with which all XML may begin, by a heading,
    /// with which texts in Markdown do, and by an element among the first 256 bytes, which programs name that make pages.
    private static let page = "text/html"
    private static let xml = "application/xml"
    private static let markdown = "text/markdown"

    /// A type that the shared MIME database knows by "<svg" among the first 256 bytes.
    private static let drawing = "image/svg+xml"

    /// Types that the shared MIME database knows by a word or letters alone, which text may have there as well.
    private static let words: Set = [
        "image/x-icns", "application/x-blender", "audio/x-mod", "image/x-gimp-gbr", "image/x-gimp-pat", stream,
    ]

    /// A type that is known by one byte at the beginning of each packet, a capital G, which lines of texts of one length and
    /// sequences of genes have in these places as well. Packets have zeros, if only in the tables of what they hold.
    private static let stream = "video/mp2t"

    /// A type that the shared MIME database knows by bytes with which resources of the Macintosh and pictures of JBIG begin as
    /// well. Behind them, icons have the number of their pictures, the lower byte of which is not 0.
    private static let icon = "image/vnd.microsoft.icon"

    /// A type that the shared MIME database knows by "MM" alone, as in dates of texts. Which of these it is, the name tells.
    private static let studio = "image/x-3ds"

    /// A type that the shared MIME database knows by "%" or "##" at the beginning: TeX, PostScript, headings of Markdown and
    /// comments in models begin so as well. What it is, the name tells.
    private static let comments = "text/x-matlab"

    /// Types whose documents are compound files (MS-CFB) without the shared MIME database saying so. Those of Office
    /// Open XML are when they are encrypted (MS-OFFCRYPTO, section 2.3.1): their renderer then asks for the password.
    private static let compound = [
        "application/vnd.ms-", "application/vnd.openxmlformats-officedocument.", "application/vnd.stardivision.",
        "application/vnd.visio", "application/x-hwp",
    ]

    /// Types of XML that the shared MIME database does not know.
    private static let markup: Set = [
        "model/vnd.collada+xml", "model/x3d+xml", "application/x-amf", "application/vnd.garmin.tcx+xml",
    ]

    /// Types without a text among their files, whose names texts have all the same. Of music: `go.mod`, modules of Modula and
    /// of DTDs, pages in Italian. Of films: modules of TypeScript (`.mts`). Of programs and pictures of medicine:
    /// the pointers that Git LFS leaves in their place. Of sheets: those of Gnumeric that are not packed, which LibreOffice does
    /// not read. Of photographs: what programs call raw because it is as they found it. Of profiles, databases, pictures of JPEG XR
    /// and stickers: whatever else has their short endings (`.icm`, `.wdp`, `.hdp`, `.tgs`), and pointers. Nor are
    /// there among cartridges, some of which have endings of programs, or among what old programs of offices wrote in bytes of their
    /// own: proteins (`.pdb`), modules of Raku (`.pm6`), and tables of numbers share their endings.
    private static let neverTexts: Set = [
        "audio/x-mod", "audio/x-it", stream, "application/vnd.microsoft.portable-executable",
        "application/x-ms-dos-executable", "application/x-msdownload", "application/x-dosexec",
        "application/x-msdos-program", "application/x-ms-ne-executable", "application/vnd.android.package-archive",
        "application/vnd.appimage", "application/dicom", "application/x-gnumeric", "image/x-panasonic-rw",
        "application/x-aportisdoc", "application/vnd.palm", "application/x-pagemaker", "application/vnd.corel-draw",
        "application/vnd.lotus-1-2-3", "application/vnd.lotus-wordpro", "application/x-quattropro",
        "application/vnd.wordperfect", "application/x-mswrite", "application/x-wpg", "image/x-pict",
        WindowsFont.type,
        "application/vnd.iccprofile", "application/vnd.sqlite3", "application/geopackage+sqlite3",
        "application/vnd.mbtiles", "image/jxr", "image/vnd.ms-photo", "application/x-tgsticker",
    ]

    /// Types whose newer documents are zip files without the shared MIME database, or always the file itself, saying so.
    private static let zipped: Set = [
        "application/vnd.corel-draw", "application/x-amf", "application/x-krita", "application/zip+dotlottie",
    ]

    /// Types whose documents begin alike, all of which the shared MIME database takes for the last: those of iWork.
    private static let alike: Set = [
        "application/vnd.apple.keynote", "application/vnd.apple.numbers", "application/vnd.apple.pages",
    ]

    /// Types whose documents are packed as single files are without the shared MIME database saying so.
    private static let gzipped: Set = [
        "application/x-gnumeric", "application/x-xopp", "application/x-xojpp", "model/vrml", "application/x-tgsticker",
    ]
}

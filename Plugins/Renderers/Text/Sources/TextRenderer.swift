internal import PictureDecoding
internal import TextDrawing
public import VitrineKit

/// Draws the beginning of texts with pango and cairo: a white page, in type that can still be read at 256 pixels.
///
/// Prose and Markdown are set in proportional type and broken into lines; source code, logs and the like keep their
/// lines, in type of one width; CSV, TSV and dBase's files become a table, notebooks of Jupyter their cells and what came of them, address books
/// and calendars their entries. Only the first 64 KiB are read, whatever the size; of notebooks 4 MiB, of dBase's files more
/// where deleted records lead.
public final class TextRenderer: Renderer {
    private let encodings: TextEncodings
    private let decoder: PictureDecoder

    /// Bytes that are read of a text.
    static let reach = 64 << 10
    /// The most pixels of a picture that came of code: more than any printer has on a page.
    private static let mostPixels = 32 << 20

    /// Loads what pango and the C library load late: fontconfig's list of fonts, the commonest fonts, the tables
    /// of encodings.
    public init(_ environment: RendererEnvironment) throws(PluginError) {
        try DrawingLibrary.warmUp()
        encodings = TextEncodings()
        decoder = PictureDecoder(maximumPixels: min(environment.maximumPixels, Self.mostPixels))
        do throws(PluginError) {
            for kind in TextKind.allCases { _ = try draw(WarmUpText.text, kind, "text/plain", box: 64) }
        } catch {
            throw PluginError(.pluginUnavailable, "pango cannot draw a page of its own: \(error.message)")
        }
    }

    /// Draws the beginning of a text, which has one page and no moments.
    /// - Throws: `empty` for no bytes, nothing but blanks, or a private key; `unsupported` for what is no text, and for drawings
    ///   and documents that are written in letters; `corrupt` for tables that are damaged, `invalidArgument` for another page
    ///   or a moment; and what reading throws.
    public func render(_ input: any RandomAccessInput, _ request: RenderRequest) throws(PluginError) -> Rendering {
        try input.checkNotEmpty("the text")
        try request.checkSinglePicture(in: "the text")
        if request.mimeType == RecordTable.type { return try rendering(RecordTable(input), request) }
        let head = try input.head(request.mimeType == Notebook.type ? Notebook.reach : Self.reach)
        let bytes = Array(head.prefix(Self.reach))
        if PrinterData.isSeen(in: bytes) {
            throw PluginError(.unsupported, "the file is data for a printer (PCL or PJL), which is not drawn")
        }
        let text = PlainText.cleaned(try letters(of: bytes, isWhole: Int64(bytes.count) == input.size))
        if let other = ForeignMarkup.name(of: text, request.mimeType) {
            throw PluginError(
                .unsupported, "the file is \(other), which is not drawn as the text that it is written in")
        }
        guard text.unicodeScalars.contains(where: { !$0.properties.isWhitespace }) else {
            throw PluginError(.empty, "the text is empty: there is nothing but blanks in it")
        }
        let notebook = request.mimeType == Notebook.type ? self.notebook(head, isWhole: head.count == input.size) : nil
        let words = notebook.flatMap { $0.blocks.isEmpty ? nil : $0.text } ?? text
        if PrivateKey.isHeld(in: text) || notebook != nil && PrivateKey.isHeld(in: words) {
            throw PluginError(.empty, "the file holds a private key, of which no picture is made")
        }
        let kind = TextKind(request.mimeType, text, bytes, notebook)
        var rendering = try draw(text, kind, request.mimeType, box: request.box)
        rendering.facts.set(.encoding, encodings.found)
        if Int64(bytes.count) == input.size {
            let end = UInt8(ascii: "\n")
            let ends = text.utf8.count { $0 == end }
            rendering.facts.set(.lines, Double(text.utf8.last == end ? ends : ends + 1))
        }
        if request.wantsText { rendering.facts.text = Facts.bounded(words) }
        return rendering
    }

    /// Decodes what its name or its first bytes called a text. That it is none does not mean that it is damaged: pictures and other
    /// data of many programs begin with lines of text.
    private func letters(of bytes: [UInt8], isWhole: Bool) throws(PluginError) -> String {
        do throws(PluginError) { return try encodings.decode(bytes, isWhole: isWhole) } catch {
            throw error.code == .corrupt ? PluginError(.unsupported, error.message) : error
        }
    }

    /// - Parameters:
    ///   - head: the beginning of the file, of which letters were found already.
    ///   - isWhole: whether that is all.
    private func notebook(_ head: [UInt8], isWhole: Bool) -> Notebook {
        guard encodings.found.hasPrefix("UTF-16") || encodings.found.hasPrefix("UTF-32") else { return Notebook(head) }
        // Where later letters are none, it is drawn as the text that its beginning is.
        return Notebook(Array(((try? letters(of: head, isWhole: isWhole)) ?? "").utf8))
    }

    private func rendering(_ table: RecordTable, _ request: RenderRequest) throws(PluginError) -> Rendering {
        let text = PlainText.cleaned(try encodings.decode(table.lines, isWhole: true, stated: table.encoding))
        var rendering = try draw(text, .table(separator: "\t"), request.mimeType, box: request.box)
        rendering.facts.set(.encoding, encodings.found)
        if request.wantsText { rendering.facts.text = Facts.bounded(text) }
        return rendering
    }

    private func draw(
        _ text: String, _ kind: TextKind, _ mimeType: String, box: Int
    ) throws(PluginError) -> Rendering {
        let page = try Page(box: box)
        var title: String?
        switch kind {
        case .prose: page.draw(Prose.blocks(text))
        case .markdown:
            let blocks = Markdown.blocks(text)
            title = blocks.first { $0.style == .heading(1) }?.text
            page.draw(blocks)
        case .entries(let blocks):
            title = blocks.first { $0.style == .heading(1) }?.text
            page.draw(blocks, BlockPictures(decoder: decoder, box: box))
        case .code: page.draw(CodeListing(text, mimeType: mimeType))
        case .table(let separator):
            let table = DelimitedTable(text, separator: separator)
            page.drawTable(table.rows, isNumeric: table.isNumeric)
        }
        return Rendering(try page.finish(), facts: Facts(title: title))
    }
}

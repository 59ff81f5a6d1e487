internal import CLitehtml
internal import MIME
internal import PictureDecoding
internal import PictureTraits
internal import TextDrawing
public import VitrineKit

/// Draws pages of the web as a browser shows them without scripts, with litehtml, pango and cairo: the upper part of the page, in a
/// narrow window.
///
/// Nothing but the file itself is read: its own style sheets, pictures that lie in it as `data:` addresses, and the parts of a page
/// that was saved whole (MHTML). Of a help file (CHM) the first page is drawn, with what belongs to it from the same file; where that
/// only holds others, the one that it leads to. A page that is empty without the rest is refused, so that it is drawn as a text.
public final class HTMLRenderer: Renderer {
    private let decoder: PictureDecoder

    /// Loads what pango and the C library load late: fontconfig's list of fonts, the commonest fonts, tables of encodings.
    public init(_ environment: RendererEnvironment) throws(PluginError) {
        try DrawingLibrary.warmUp()
        Charset.warmUp(.all)
        decoder = PictureDecoder(maximumPixels: environment.maximumPixels)
        let page = SavedPage(Array("<h1>A</h1><b>B <i>C</i></b><pre>D</pre>".utf8))
        _ = try Self.draw(PageSource(page, type: "text/html"), page, decoder, box: 64)
    }

    /// Draws the upper part of a page. It has one picture: other pages and moments are refused.
    /// - Throws: `empty` for no bytes and help files without pages, `corrupt` for damaged ones, `unsupported` for a page that shows nothing without its scripts, style sheets and pictures,
    ///   `limitExceeded` for one that is nested too deeply, and for help files of too many files; and what reading throws.
    public func render(_ input: any RandomAccessInput, _ request: RenderRequest) throws(PluginError) -> Rendering {
        try input.checkNotEmpty("the page")
        try request.checkSinglePicture(in: "the page")
        let saved = try SavedPage(input, type: request.mimeType)
        let found = try shown(saved, request)
        if let failure = saved.help?.failure { throw failure }
        guard let (drawn, source) = found else { throw Self.lack(of: saved) }
        var rendering = drawn
        if let title = saved.help?.title { rendering.facts.title = title }
        if request.wantsText {
            let lines = HTMLText.words(source.markup).split(separator: "\n").compactMap { Facts.line(String($0)) }
            rendering.facts.text = Facts.bounded(lines.joined(separator: "\n"))
        }
        return rendering
    }

    /// Pages of a help file that lead from one to the next.
    private static let mostTurned = 4

    /// Draws the page that a page leads to, as far as one is to be seen; else the page itself.
    /// - Parameter depth: how many pages led to it.
    /// - Returns: `nil` where nothing is to be seen.
    private func shown(
        _ saved: SavedPage, _ request: RenderRequest, depth: Int = 1
    ) throws(PluginError) -> (Rendering, PageSource)? {
        let source = PageSource(saved, type: request.mimeType)
        if depth < Self.mostTurned {
            for lead in source.leads {
                guard let next = saved.turned(to: WebAddress.resolved(lead, on: source.base)),
                    let found = try shown(next, request, depth: depth + 1)
                else { continue }
                return found
            }
        }
        return try drawn(source, saved, request).map { ($0, source) }
    }

    /// Why there is nothing to be seen.
    private static func lack(of saved: SavedPage) -> PluginError {
        if let help = saved.help {
            return PluginError(
                .unsupported,
                "the first page of the help file, \(help.home.path), shows nothing: it is empty, or filled by scripts or with what does not lie in the file"
            )
        }
        return PluginError(
            .unsupported, "the page shows nothing without the scripts, style sheets and pictures that it names")
    }

    /// Draws a page as far as it can be laid out.
    /// - Returns: `nil` where nothing is to be seen.
    private func drawn(
        _ source: PageSource, _ saved: SavedPage, _ request: RenderRequest
    ) throws(PluginError) -> Rendering? {
        let box = request.box
        do {
            // Where nothing is left, what was put aside is better than nothing.
            var drawn = try Self.draw(source, saved, decoder, box: box, asReader: source.namesStyle)
            if drawn == nil, source.namesStyle { drawn = try Self.draw(source, saved, decoder, box: box) }
            return drawn
        } catch {
            guard SavedPage.packs(request.mimeType), error.code == .limitExceeded else { throw error }
            let lines = HTMLText.words(source.markup).split(separator: "\n").prefix(200).compactMap {
                Facts.line(String($0))
            }
            return try Self.draw(PageSource(lines: lines, like: source), saved, decoder, box: box)
        }
    }

    private static let tooMuchMemory = PluginError(
        .limitExceeded, "the page needs more memory than the renderer may use")
    /// Pixels in which something can be seen of letters.
    private static let smallest = 64

    /// - Parameter asReader: whether what style sheets put aside is left out.
    /// - Returns: `nil` for a page on which nothing is to be seen.
    private static func draw(
        _ source: PageSource, _ saved: SavedPage, _ decoder: PictureDecoder, box: Int, asReader: Bool = false
    ) throws(PluginError) -> Rendering? {
        let canvas = Canvas(try Page(box: box, width: Window.width, height: Window.height), source, saved, decoder)
        var calls = canvas.calls
        var failure = clitehtml_damaged
        let style = BrowserStyle.sheet + (asReader ? BrowserStyle.reader : "")
        let laidOut = clitehtml_open(
            source.markup, style, &calls, CInt(Window.width), CInt(Window.height), &failure)
        guard let laidOut else {
            switch failure {
            case clitehtml_lacks_memory: throw tooMuchMemory
            case clitehtml_too_deep:
                throw PluginError(
                    .limitExceeded, "the page's elements are too many, or nested deeper than they can be laid out")
            default: throw PluginError(.corrupt, "the page cannot be laid out")
            }
        }
        defer { clitehtml_close(laidOut) }
        guard clitehtml_draw(laidOut) else { throw tooMuchMemory }
        let bitmap = try canvas.finish()
        guard canvas.hasMarks, box < smallest || bitmap.hasSeveralColours else { return nil }
        // In a very small picture letters may leave no trace.
        if box < smallest, try draw(source, saved, decoder, box: smallest, asReader: asReader) == nil { return nil }
        return Rendering(bitmap, facts: Facts(title: canvas.title.flatMap { Facts.line($0) }))
    }
}

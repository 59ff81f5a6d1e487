public import VitrineKit

/// Draws pages of DjVu documents with DjVuLibre, straight at the size asked for.
///
/// What lies in one file is drawn. A document in several files is an index of them, each of which is a document, too.
public final class DjVuRenderer: Renderer {
    private let maximumPixels: Int
    private let contentLimit: Int64

    /// Lets DjVuLibre look at its surroundings, which it does once.
    /// - Throws: `pluginUnavailable` when it does not start.
    public init(_ environment: RendererEnvironment) throws(PluginError) {
        try DjVuDocument.warmUp()
        maximumPixels = environment.maximumPixels
        // DjVuLibre keeps a copy of what it is given.
        contentLimit = environment.addressSpace / 4
    }

    /// Draws a page.
    /// - Throws: `empty`, `corrupt`, `unsupported` for a document in several files, `limitExceeded`, `invalidArgument` for
    ///   a page that is not there; and what reading throws.
    public func render(
        _ input: any RandomAccessInput, _ request: RenderRequest
    ) throws(PluginError) -> Rendering {
        try input.checkNotEmpty("the DjVu document")
        try request.refuseMoment(in: "a document")
        return try input.withContents(limit: contentLimit) { bytes throws(PluginError) in
            guard bytes.starts(with: "AT&TFORM".utf8) else {
                throw PluginError(.corrupt, "the file is no DjVu document, or its first bytes are damaged")
            }
            let document = try DjVuDocument(bytes)
            try request.checkPage(of: document.pages, in: "the DjVu document")
            let page = try document.page(request.page, box: request.box, maximumPixels: maximumPixels)
            var facts = Facts(pages: document.pages, size: page.size)
            if request.wantsText {
                facts.text = document.text(of: request.page).map(Facts.bounded)
            }
            var rendering = Rendering(page.bitmap, facts: facts)
            rendering.isKnownBlank = page.isBlank
            return rendering
        }
    }
}

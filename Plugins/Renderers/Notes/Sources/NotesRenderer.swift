internal import ArchiveReading
internal import MIME
internal import PictureDecoding
internal import TextDrawing
public import VitrineKit

/// Draws pages of notes that were written by hand with Xournal++ and Xournal: paper, strokes, texts and pictures.
///
/// A page may lie on one of a PDF document or on a picture, which are files of their own and are not looked for: of such a first page
/// the small preview is shown that Xournal++ leaves in the file, where it is wanted, else what was written upon it.
public final class NotesRenderer: Renderer {
    private let decoder: PictureDecoder

    /// What is told of a preview that Xournal++ left, as of those of other programs.
    private static let preview = "preview of its program"

    /// Loads fonts, and what libarchive loads late.
    public init(_ environment: RendererEnvironment) throws(PluginError) {
        try DrawingLibrary.warmUp()
        try ArchiveLibrary.warmUp()
        Charset.warmUp()
        decoder = PictureDecoder(maximumPixels: environment.maximumPixels)
    }

    /// Draws a page.
    /// - Throws: `empty` for no bytes or no pages, `corrupt`, `limitExceeded`, `invalidArgument` for a page that is not there, or
    ///   what the input throws.
    public func render(_ input: any RandomAccessInput, _ request: RenderRequest) throws(PluginError) -> Rendering {
        try input.checkNotEmpty("the notebook")
        try request.refuseMoment(in: "a notebook")
        let notebook = try NotebookReader.read(input, page: request.page)
        guard notebook.pages > 0 else { throw PluginError(.empty, "the notebook has no pages") }
        try request.checkPage(of: notebook.pages, in: "the notebook")
        guard let page = notebook.page else {
            throw PluginError(.corrupt, "page \(request.page + 1) of the notebook has no usable size")
        }
        var facts = Facts(pages: notebook.pages)
        facts.setPage(pointsWide: page.width, high: page.height)
        if request.wantsText { facts.text = Facts.bounded(page.text) }
        if page.liesOnAnother, request.page == 0, request.embedded != .never,
            let picture = preview(notebook.preview, request.box)
        {
            var rendering = Rendering(picture, facts: facts)
            rendering.embedded = Self.preview
            return rendering
        }
        var rendering = Rendering(try PageDrawing.draw(page, box: request.box, decoder), facts: facts)
        // Each size is drawn anew: thin lines would fade in a picture that is made smaller.
        let decoder = decoder
        rendering.drawSmaller = { (box) throws(PluginError) in try PageDrawing.draw(page, box: box, decoder) }
        return rendering
    }

    /// - Returns: `nil` for a preview that is not there, or damaged.
    private func preview(_ letters: [UInt8], _ box: Int) -> Bitmap? {
        let bytes = TransferCoding.base64.decode(letters)
        return bytes.isEmpty ? nil : try? decoder.picture(bytes, box: box).bitmap
    }
}

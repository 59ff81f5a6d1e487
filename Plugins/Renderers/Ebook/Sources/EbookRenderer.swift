internal import ArchiveReading
internal import PictureDecoding
internal import TextDrawing
public import VitrineKit

/// Draws the covers of electronic books: EPUB, FictionBook and Mobipocket; of a book without one, a title page.
///
/// Archives are read with libarchive, descriptions with expat, covers decoded with libjpeg-turbo and the like. Nothing
/// that a book refers to is fetched.
public final class EbookRenderer: Renderer {
    private let decoder: PictureDecoder

    /// The smallest longer side, in pixels, with which a cover shows anything.
    private static let smallestCover = 32

    /// Loads fonts, and what libarchive loads late.
    public init(_ environment: RendererEnvironment) throws(PluginError) {
        try ArchiveLibrary.warmUp()
        try DrawingLibrary.warmUp()
        decoder = PictureDecoder(maximumPixels: environment.maximumPixels)
    }

    /// Draws a book, which has one page, its cover, and no moments.
    /// - Throws: `empty` for no bytes, `corrupt`, `locked`, `limitExceeded`, `invalidArgument` for another page or a moment, or
    ///   what the input throws.
    public func render(_ input: any RandomAccessInput, _ request: RenderRequest) throws(PluginError) -> Rendering {
        try input.checkNotEmpty("the book")
        try request.checkSinglePicture(in: "the book")
        let book = try Self.read(input, request)
        var facts = Facts(title: book.title)
        facts.set(.author, book.author)
        facts.set(.created, book.created?.text)
        if request.wantsText {
            let words = [book.title, book.author, book.text].compactMap(\.self).joined(separator: "\n")
            facts.text = words.isEmpty ? nil : Facts.bounded(words)
        }
        if let bytes = book.cover {
            do throws(PluginError) {
                let cover = try decoder.picture(bytes, box: request.box)
                if max(cover.size.width, cover.size.height) >= Self.smallestCover {
                    return Rendering(cover.bitmap, facts: facts)
                }
            } catch {
                // A title page is better than a damaged cover.
            }
        }
        let page = try Page(box: request.box)
        page.draw(book)
        return Rendering(try page.finish(), facts: facts)
    }

    private static func read(_ input: any RandomAccessInput, _ request: RenderRequest) throws(PluginError) -> Book {
        let type = request.mimeType
        if type.contains("fictionbook") || type.contains("fb2") {
            return try FictionBook.book(input, wantsText: request.wantsText)
        }
        if type.contains("mobi") { return try MobipocketBook.book(input) }
        return try EPUBBook(input).book(wantsText: request.wantsText)
    }
}

internal import ArchiveReading
internal import PictureDecoding
public import VitrineKit

/// Draws comic books: archives of pictures, each a page, in the natural order of their names. A page that the book's
/// ``ComicInfo`` calls its front cover comes first.
///
/// The archive is read with libarchive, the page decoded with libjpeg-turbo, libpng, libwebp or giflib.
public final class ComicRenderer: Renderer {
    private let decoder: PictureDecoder

    /// Loads what libarchive loads late.
    public init(_ environment: RendererEnvironment) throws(PluginError) {
        try ArchiveLibrary.warmUp()
        decoder = PictureDecoder(maximumPixels: environment.maximumPixels)
    }

    /// Draws a page.
    /// - Throws: `empty` for a book without pages, `locked`, `corrupt`, `unsupported` for pages in other formats,
    ///   `limitExceeded`, `invalidArgument` for a page that is not there, or what the input throws.
    public func render(_ input: any RandomAccessInput, _ request: RenderRequest) throws(PluginError) -> Rendering {
        try request.refuseMoment(in: "a comic book")
        let archive = try Archive(input)
        var pages = archive.members.filter(\.isPicture).sorted { NaturalOrder.precedes($0.name, $1.name) }
        guard !pages.isEmpty else {
            throw PluginError(.empty, "the comic book has no page: there is no picture in its archive")
        }
        try request.checkPage(of: pages.count, in: "the comic book")
        let info = try ComicInfo(in: archive)
        if let cover = info?.cover, pages.indices.contains(cover) { pages.insert(pages.remove(at: cover), at: 0) }
        let page = pages[request.page]
        let picture = try decoder.picture(try archive.contents(of: page), box: request.box)
        var facts = Facts(pages: archive.isWhole ? pages.count : nil, size: picture.size)
        facts.title = info?.title
        facts.set(.author, info?.author)
        return Rendering(picture.bitmap, facts: facts)
    }
}

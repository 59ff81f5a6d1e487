internal import ArchiveReading
internal import PictureDecoding
public import VitrineKit

/// Draws comic books: archives of pictures, each a page, in the natural order of their names. A page that the book's
/// ``ComicInfo`` calls its front cover comes first.
///
/// Pages in formats that only renderers of their own decode, such as AVIF and JPEG XL, are counted; the book's picture is then
/// its first page in another one.
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
        var pages = archive.members.filter { $0.isPicture || $0.isForeignPicture }
            .sorted { NaturalOrder.precedes($0.name, $1.name) }
        guard !pages.isEmpty else {
            throw archive.lacks(PluginError(.empty, "the comic book has no page: there is no picture in its archive"))
        }
        try request.checkPage(of: pages.count, in: "the comic book")
        let info = try ComicInfo(in: archive)
        if let cover = info?.cover, pages.indices.contains(cover) { pages.insert(pages.remove(at: cover), at: 0) }
        let page = try Self.page(request.page, of: pages)
        let picture = try decoder.picture(try archive.contents(of: page), box: request.box)
        var facts = Facts(pages: archive.isWhole ? pages.count : nil, size: picture.size)
        facts.title = info?.title
        facts.set(.author, info?.author)
        return Rendering(picture.bitmap, facts: facts)
    }

    /// The page that is drawn: the one asked for, or instead of the first the next one that can be decoded, which stands for the
    /// book.
    private static func page(_ number: Int, of pages: [ArchiveMember]) throws(PluginError) -> ArchiveMember {
        let page = pages[number]
        if page.isPicture { return page }
        if number == 0, let other = pages.first(where: \.isPicture) { return other }
        let ending = page.name.split(separator: UInt8(ascii: ".")).last ?? []
        let format = DisplayText.of(String(decoding: ending, as: UTF8.self))
        throw PluginError(
            .unsupported,
            "page \(number + 1) of the comic book is a picture in '\(format)', a format that is not drawn inside of other "
                + "files; unpack it to see it")
    }
}

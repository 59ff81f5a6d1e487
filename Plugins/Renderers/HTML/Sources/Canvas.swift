internal import CLitehtml
internal import CPango
internal import PictureDecoding
internal import TextDrawing
internal import VitrineKit

/// Measures and draws what litehtml lays out, in pixels of CSS. Used by one thread.
final class Canvas {
    let page: Page
    let saved: SavedPage
    let source: PageSource
    let decoder: PictureDecoder
    var fonts: [CanvasFont] = []
    var pictures: [String: Bitmap?] = [:]
    var sizes: [String: PixelSize?] = [:]
    /// Bytes of style sheets that were given so far, and their addresses: each is given once.
    var (styleBytes, styles): (Int, Set<String>) = (0, [])
    /// What the page calls itself.
    var title: String?
    /// Whether letters or a picture were drawn: lines and grounds alone are what a page is filled into by its scripts.
    var hasMarks = false

    /// Words of a line that run against the page, and those between: what is behind them on the page is not known yet.
    var waiting: [CanvasWord] = []

    /// - Parameter saved: what the page may name.
    init(_ page: Page, _ source: PageSource, _ saved: SavedPage, _ decoder: PictureDecoder) {
        self.page = page
        self.source = source
        self.saved = saved
        self.decoder = decoder
    }

    deinit { for font in fonts { g_object_unref(UnsafeMutableRawPointer(font.layout)) } }

    /// Ends drawing.
    func finish() throws(PluginError) -> Bitmap {
        drawWaiting()
        return try page.finish()
    }
}

internal import PictureDecoding
internal import TextDrawing
internal import VitrineKit

/// Draws the pictures among the paragraphs of a page.
struct BlockPictures {
    let decoder: PictureDecoder
    /// The page's longer side in pixels.
    let box: Int
    /// How many more are decoded: more than a page shows.
    private var left = 8

    /// The height of one at most, and the least room that is worth one, in millimetres.
    private static let highest = 100.0, lowest = 35.0
    /// How long a pixel is at most: two fit into the height of a small letter.
    private static let largestPixel = 0.5

    init(decoder: PictureDecoder, box: Int) { (self.decoder, self.box) = (decoder, box) }

    /// Draws a picture as wide as the page's lines, where it has so many pixels.
    /// - Parameters:
    ///   - x: its left edge.
    ///   - top: its upper edge.
    /// - Returns: its height; `nil` where it is left out, since it is damaged, or there is no room, as for those behind it.
    mutating func draw(_ bytes: [UInt8], on page: Page, x: Double, top: Double) -> Double? {
        let room = min(Self.highest, Page.bottom - top)
        guard left > 0 else { return nil }
        left -= 1
        guard let picture = try? decoder.picture(bytes, box: box) else { return nil }
        let (pixelsAcross, pixelsDown) = (Double(picture.size.width), Double(picture.size.height))
        let widest = min(Page.width - Page.margin - x, pixelsAcross * Self.largestPixel)
        let scale = min(widest / pixelsAcross, room / pixelsDown)
        let (wide, high) = (pixelsAcross * scale, pixelsDown * scale)
        // Where the rest of the page is too low for all of it, it would shrink to a stamp. Those behind have less room still, and
        // are not even decoded.
        guard high > 0, room >= min(Self.lowest, pixelsDown * widest / pixelsAcross) else {
            left = 0
            return nil
        }
        page.draw(picture.bitmap, x: x, y: top, width: wide, height: high, stretches: true)
        return high
    }
}

internal import CCairo
import Glibc
internal import VitrineKit

/// The picture of recorded sound: a row of rounded bars, each as high as the sound is loud there.
enum Waveform {
    /// Draws a waveform on a tile.
    /// - Parameters:
    ///   - levels: how loud the sound is from its start to its end; at least one, finite and not below zero.
    ///   - box: the side of the tile, in pixels.
    /// - Throws: `limitExceeded` when there is no memory for it.
    static func draw(_ levels: [Double], box: Int) throws(PluginError) -> Bitmap {
        try SoundTile.draw(box: box) { context in drawBars(heights(levels), context) }
    }

    /// The part of a bar's room that it fills.
    private static let fill = 0.58

    /// The loudest bar gets all of the height. The others are raised a little towards it, since the ear hears a half
    /// as more than half.
    private static func heights(_ levels: [Double]) -> [Double] {
        let loudest = levels.max() ?? 0
        // Noise below -60 dB is silence.
        guard loudest > 0.001 else { return levels.map { _ in 0 } }
        return levels.map { pow($0 / loudest, 0.7) }
    }

    private static func drawBars(_ heights: [Double], _ context: OpaquePointer?) {
        let (margin, tallest) = (SoundTile.margin, SoundTile.tallest)
        let room = (1 - 2 * margin) / Double(heights.count)
        let width = room * fill
        for (index, height) in heights.enumerated() {
            // A bar of nothing is a dot.
            let height = max(width, height * tallest)
            SoundTile.addRounded(
                to: context, x: margin + Double(index) * room + (room - width) / 2, y: (1 - height) / 2, width: width,
                height: height, radius: width / 2)
        }
        let shade = cairo_pattern_create_linear(0, (1 - tallest) / 2, 0, (1 + tallest) / 2)
        cairo_pattern_add_color_stop_rgb(shade, 0, 0.584, 0.886, 0.914)
        cairo_pattern_add_color_stop_rgb(shade, 0.5, 0.918, 0.973, 0.976)
        cairo_pattern_add_color_stop_rgb(shade, 1, 0.584, 0.886, 0.914)
        cairo_set_source(context, shade)
        cairo_fill(context)
        cairo_pattern_destroy(shade)
    }
}

internal import CCairo
import Glibc
internal import VitrineKit

/// The picture of sound that brings none: a dark tile with a row of rounded bars.
///
/// The tile has a colour of its own, so that the bars can be seen on light and on dark.
enum WaveformTile {
    /// Draws a waveform.
    /// - Parameters:
    ///   - levels: how loud the sound is from its start to its end; at least one, finite and not below zero.
    ///   - box: the side of the tile, in pixels.
    /// - Throws: `limitExceeded` when there is no memory for it.
    static func draw(_ levels: [Double], box: Int) throws(PluginError) -> Bitmap {
        let bitmap = try Bitmap(width: box, height: box, format: .bgraPremultiplied)
        let status = bitmap.withUnsafeMutableBytes { rows in
            let surface = cairo_image_surface_create_for_data(
                rows.baseAddress?.assumingMemoryBound(to: UInt8.self), CAIRO_FORMAT_ARGB32, CInt(box), CInt(box),
                CInt(bitmap.bytesPerRow))
            defer { cairo_surface_destroy(surface) }
            let context = cairo_create(surface)
            defer { cairo_destroy(context) }
            // From here on the tile's side is 1.
            cairo_scale(context, Double(box), Double(box))
            drawTile(context)
            drawBars(heights(levels), context)
            cairo_surface_finish(surface)
            return cairo_status(context)
        }
        guard status == CAIRO_STATUS_SUCCESS else {
            throw PluginError(.limitExceeded, "drawing the waveform needs more memory than the renderer may use")
        }
        return bitmap
    }

    /// Parts of the tile's side.
    private static let corner = 0.09
    private static let margin = 0.12
    private static let tallest = 0.62
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

    private static func drawTile(_ context: OpaquePointer?) {
        rounded(context, x: 0, y: 0, width: 1, height: 1, radius: corner)
        let shade = cairo_pattern_create_linear(0, 0, 0, 1)
        cairo_pattern_add_color_stop_rgb(shade, 0, 0.255, 0.322, 0.404)
        cairo_pattern_add_color_stop_rgb(shade, 1, 0.161, 0.208, 0.275)
        cairo_set_source(context, shade)
        cairo_fill(context)
        cairo_pattern_destroy(shade)
    }

    private static func drawBars(_ heights: [Double], _ context: OpaquePointer?) {
        let room = (1 - 2 * margin) / Double(heights.count)
        let width = room * fill
        for (index, height) in heights.enumerated() {
            // A bar of nothing is a dot.
            let height = max(width, height * tallest)
            rounded(
                context, x: margin + Double(index) * room + (room - width) / 2, y: (1 - height) / 2, width: width,
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

    /// Adds a rectangle with round corners to the path.
    private static func rounded(
        _ context: OpaquePointer?, x: Double, y: Double, width: Double, height: Double, radius: Double
    ) {
        let (right, bottom) = (x + width, y + height)
        cairo_new_sub_path(context)
        cairo_arc(context, right - radius, y + radius, radius, -.pi / 2, 0)
        cairo_arc(context, right - radius, bottom - radius, radius, 0, .pi / 2)
        cairo_arc(context, x + radius, bottom - radius, radius, .pi / 2, .pi)
        cairo_arc(context, x + radius, y + radius, radius, .pi, 3 * .pi / 2)
        cairo_close_path(context)
    }
}

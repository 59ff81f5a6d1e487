internal import CCairo
internal import VitrineKit

/// The dark tile on which sound is drawn that brings no picture. It has a colour of its own, so that what is on it can be
/// seen on light and on dark.
enum SoundTile {
    /// Parts of the tile's side.
    private static let corner = 0.09
    /// What is left free to the left and the right.
    static let margin = 0.12
    /// The most that is filled from top to bottom, in the middle.
    static let tallest = 0.62

    /// Draws a tile and something on it.
    /// - Parameters:
    ///   - box: its side, in pixels.
    ///   - content: draws on the tile, whose side is 1.
    /// - Throws: `limitExceeded` when there is no memory for it.
    static func draw(box: Int, _ content: (_ context: OpaquePointer?) -> Void) throws(PluginError) -> Bitmap {
        let bitmap = try Bitmap(width: box, height: box, format: .bgraPremultiplied)
        let status = bitmap.withUnsafeMutableBytes { rows in
            let surface = cairo_image_surface_create_for_data(
                rows.baseAddress?.assumingMemoryBound(to: UInt8.self), CAIRO_FORMAT_ARGB32, CInt(box), CInt(box),
                CInt(bitmap.bytesPerRow))
            defer { cairo_surface_destroy(surface) }
            let context = cairo_create(surface)
            defer { cairo_destroy(context) }
            cairo_scale(context, Double(box), Double(box))
            drawGround(context)
            content(context)
            cairo_surface_finish(surface)
            return cairo_status(context)
        }
        guard status == CAIRO_STATUS_SUCCESS else {
            throw PluginError(.limitExceeded, "drawing the sound needs more memory than the renderer may use")
        }
        return bitmap
    }

    private static func drawGround(_ context: OpaquePointer?) {
        addRounded(to: context, x: 0, y: 0, width: 1, height: 1, radius: corner)
        let shade = cairo_pattern_create_linear(0, 0, 0, 1)
        cairo_pattern_add_color_stop_rgb(shade, 0, 0.255, 0.322, 0.404)
        cairo_pattern_add_color_stop_rgb(shade, 1, 0.161, 0.208, 0.275)
        cairo_set_source(context, shade)
        cairo_fill(context)
        cairo_pattern_destroy(shade)
    }

    /// Adds a rectangle with round corners to the path.
    static func addRounded(
        to context: OpaquePointer?, x: Double, y: Double, width: Double, height: Double, radius: Double
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

internal import CPango
package import VitrineKit

extension Page {
    /// Draws a picture, as large as fits into a rectangle, in its middle.
    /// - Parameters:
    ///   - picture: in one of cairo's own formats; others are left out.
    ///   - covers: whether it fills the rectangle, and what juts out is cut off, rather than lies in it whole.
    ///   - stretches: whether it becomes as wide and as high as the rectangle, whatever its own shape is.
    package func draw(
        _ picture: Bitmap, x: Double, y: Double, width: Double, height: Double, covers: Bool = false,
        stretches: Bool = false
    ) {
        guard picture.format == .bgrx || picture.format == .bgraPremultiplied else { return }
        let rows = picture.withUnsafeMutableBytes { $0.baseAddress?.assumingMemoryBound(to: UInt8.self) }
        let format = picture.isOpaque ? CAIRO_FORMAT_RGB24 : CAIRO_FORMAT_ARGB32
        let surface = cairo_image_surface_create_for_data(
            rows, format, CInt(picture.width), CInt(picture.height), CInt(picture.bytesPerRow))
        defer { cairo_surface_destroy(surface) }
        let (across, down) = (width / Double(picture.width), height / Double(picture.height))
        let one = covers ? max(across, down) : min(across, down)
        let scale = stretches ? (across, down) : (one, one)
        cairo_save(context)
        let (shownWidth, shownHeight) = (scale.0 * Double(picture.width), scale.1 * Double(picture.height))
        let (left, top) = (x + (width - shownWidth) / 2, y + (height - shownHeight) / 2)
        cairo_rectangle(context, max(x, left), max(y, top), min(width, shownWidth), min(height, shownHeight))
        cairo_clip(context)
        cairo_translate(context, left, top)
        cairo_scale(context, scale.0, scale.1)
        cairo_set_source_surface(context, surface, 0, 0)
        // Scales down by averages, and does not let the edges fade.
        cairo_pattern_set_filter(cairo_get_source(context), CAIRO_FILTER_GOOD)
        cairo_pattern_set_extend(cairo_get_source(context), CAIRO_EXTEND_PAD)
        cairo_paint(context)
        cairo_restore(context)
        // The picture may be gone before the page is.
        cairo_surface_finish(surface)
        withExtendedLifetime(picture) {}
    }
}

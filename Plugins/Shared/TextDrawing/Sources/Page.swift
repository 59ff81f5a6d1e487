internal import CPango
package import VitrineKit

/// A white sheet of paper that is drawn on. Lengths are in millimetres, of an A4 page unless another shape is asked for,
/// whatever size it is drawn at.
package final class Page {
    private let bitmap: Bitmap
    private let surface: OpaquePointer?
    /// Millimetres across.
    package let width: Double
    /// Millimetres down.
    package let height: Double
    /// What cairo draws with; valid as long as the page.
    package let context: OpaquePointer?

    /// An A4 page.
    package static let width = 210.0
    /// An A4 page.
    package static let height = 297.0
    /// What stays empty at the left and at the right.
    package static let margin = 17.0
    /// Where writing begins.
    package static let top = 19.0
    /// Where it ends.
    package static let bottom = height - 15
    /// What a line may fill.
    package static let lineWidth = width - 2 * margin
    /// From one line to the next, in type of the usual size: two dozen lines fill a page.
    package static let pitch = 10.7

    /// Makes an empty page.
    /// - Parameters:
    ///   - box: its longer side in pixels.
    ///   - width: its width in millimetres. Default: that of A4.
    ///   - height: its height. Default: that of A4.
    /// - Throws: `limitExceeded` when there is no memory for it.
    package init(
        box: Int, width: Double = Page.width, height: Double = Page.height
    ) throws(PluginError) {
        guard let size = PixelSize.fitting(width: width, height: height, in: box, enlarging: true) else {
            throw PluginError(.limitExceeded, "a page of \(box) pixels cannot be drawn")
        }
        self.width = width
        self.height = height
        bitmap = try Bitmap.white(size, format: .bgrx)
        // The bitmap is kept for as long as the surface is.
        let rows = bitmap.withUnsafeMutableBytes { $0.baseAddress?.assumingMemoryBound(to: UInt8.self) }
        surface = cairo_image_surface_create_for_data(
            rows, CAIRO_FORMAT_RGB24, CInt(size.width), CInt(size.height), CInt(bitmap.bytesPerRow))
        context = cairo_create(surface)
        cairo_scale(context, Double(size.width) / width, Double(size.height) / height)
        // Letters keep their widths at every size, so that lines break alike.
        let options = cairo_font_options_create()
        cairo_font_options_set_hint_metrics(options, CAIRO_HINT_METRICS_OFF)
        cairo_font_options_set_hint_style(options, CAIRO_HINT_STYLE_NONE)
        cairo_font_options_set_antialias(options, CAIRO_ANTIALIAS_GRAY)
        cairo_set_font_options(context, options)
        cairo_font_options_destroy(options)
    }

    deinit {
        cairo_destroy(context)
        cairo_surface_destroy(surface)
    }

    /// Ends drawing.
    /// - Parameter subject: what was drawn, for sentences.
    /// - Throws: what cairo says about it.
    package func finish(_ subject: String = "the text") throws(PluginError) -> Bitmap {
        cairo_surface_finish(surface)
        switch cairo_status(context) {
        case CAIRO_STATUS_SUCCESS: return bitmap
        case CAIRO_STATUS_NO_MEMORY, CAIRO_STATUS_INVALID_SIZE:
            throw PluginError(.limitExceeded, "drawing \(subject) needs more memory than the renderer may use")
        case let status:
            let reason = cairo_status_to_string(status).map { String(cString: $0) } ?? "status \(status.rawValue)"
            throw PluginError(.corrupt, "\(subject) cannot be drawn (cairo: \(reason))")
        }
    }

    /// Sets the colour of what follows.
    package func use(_ ink: Ink) { cairo_set_source_rgb(context, ink.red, ink.green, ink.blue) }

    /// Fills a rectangle.
    package func fill(x: Double, y: Double, width: Double, height: Double, _ ink: Ink) {
        use(ink)
        cairo_rectangle(context, x, y, width, height)
        cairo_fill(context)
    }

    /// Draws only inside of the margins from now on.
    package func clipToMargins() {
        cairo_rectangle(context, Self.margin, 0, Self.width - Self.margin * 1.5, Self.height)
        cairo_clip(context)
    }
}

internal import CRSVG
internal import VitrineKit

/// A drawing in memory; the one owner of librsvg's object.
struct SVGDocument: ~Copyable {
    let handle: UnsafeMutablePointer<RsvgHandle>

    /// Reads a drawing that is not compressed. The bytes may go away afterwards.
    init(_ bytes: UnsafeRawBufferPointer) throws(PluginError) {
        guard !bytes.isEmpty else { throw PluginError(.empty, "the SVG drawing is empty: it has no bytes") }
        // librsvg would inflate a stream inside of a stream without a limit.
        guard !GzipStream.begins(bytes) else {
            throw PluginError(.corrupt, "the SVG drawing is compressed twice")
        }
        handle = try Self.load(bytes)
        rsvg_handle_set_dpi(handle, SVGSize.pixelsPerInch)
    }

    private static func load(
        _ bytes: UnsafeRawBufferPointer
    ) throws(PluginError) -> UnsafeMutablePointer<RsvgHandle> {
        guard let corrected = PictureTypes.corrected(in: bytes) else { return try loadDeclaring(bytes) }
        return try corrected.withUnsafeBytes { bytes in
            Result { () throws(PluginError) in try loadDeclaring(bytes) }
        }.get()
    }

    private static func loadDeclaring(
        _ bytes: UnsafeRawBufferPointer
    ) throws(PluginError) -> UnsafeMutablePointer<RsvgHandle> {
        do throws(PluginError) { return try loadAsIs(bytes) } catch {
            guard error.code == .corrupt, let mended = UndeclaredPrefixes.declared(in: bytes) else { throw error }
            return try mended.withUnsafeBytes { bytes in
                Result { () throws(PluginError) in try loadAsIs(bytes) }
            }.get()
        }
    }

    private static func loadAsIs(
        _ bytes: UnsafeRawBufferPointer
    ) throws(PluginError) -> UnsafeMutablePointer<RsvgHandle> {
        var failure: UnsafeMutablePointer<GError>?
        // From memory and without a base: links that lead out of the drawing lead nowhere.
        let data = bytes.assumingMemoryBound(to: UInt8.self).baseAddress
        guard let handle = rsvg_handle_new_from_data(data, gsize(bytes.count), &failure) else {
            throw PluginError(loading: failure)
        }
        return handle
    }

    deinit { g_object_unref(UnsafeMutableRawPointer(handle)) }

    /// Draws the whole.
    /// - Parameter box: the longest side, in pixels.
    func rendering(box: Int) throws(PluginError) -> Rendering {
        let original = try size()
        guard
            let size = PixelSize.fitting(width: original.width, height: original.height, in: box, enlarging: true)
        else {
            throw PluginError(
                .empty, "the SVG drawing has no area: it is \(original.width) × \(original.height) pixels")
        }
        let bitmap = try Bitmap(width: size.width, height: size.height, format: .bgraPremultiplied)
        try draw(original, on: bitmap)
        return Rendering(bitmap, facts: Facts(size: original.inPixels))
    }

    private func draw(_ original: SVGSize, on bitmap: Bitmap) throws(PluginError) {
        guard let failure = failure(drawing: original, on: bitmap) else { return }
        // A font that failed once, at a size that a drawing asked for, fails from then on, in all drawings of this thread.
        pango_cairo_font_map_set_default(nil)
        guard failure.isOfFont else { throw failure.error }
        bitmap.withUnsafeMutableBytes { _ = $0.initializeMemory(as: UInt8.self, repeating: 0) }
        if let failure = self.failure(drawing: original, on: bitmap) { throw failure.error }
    }

    private func failure(drawing original: SVGSize, on bitmap: Bitmap) -> DrawingFailure? {
        bitmap.withUnsafeMutableBytes { rows -> DrawingFailure? in
            let surface = cairo_image_surface_create_for_data(
                rows.baseAddress?.assumingMemoryBound(to: UInt8.self), CAIRO_FORMAT_ARGB32, CInt(bitmap.width),
                CInt(bitmap.height), CInt(bitmap.bytesPerRow))
            defer { cairo_surface_destroy(surface) }
            let context = cairo_create(surface)
            defer { cairo_destroy(context) }
            // Each side by its own factor, so that rounding leaves no seam at an edge.
            cairo_scale(
                context, Double(bitmap.width) / original.width, Double(bitmap.height) / original.height)
            var viewport = RsvgRectangle(x: 0, y: 0, width: original.width, height: original.height)
            var failure: UnsafeMutablePointer<GError>?
            guard rsvg_handle_render_document(handle, context, &viewport, &failure) != 0 else {
                return DrawingFailure(librsvg: failure)
            }
            cairo_surface_finish(surface)
            return DrawingFailure(cairo: cairo_status(context))
        }
    }
}

internal import CGXPS
internal import VitrineKit

/// An open file with all its documents; the one owner of libgxps' objects.
struct XPSDocument: ~Copyable {
    private let file: UnsafeMutablePointer<GXPSFile>
    private var documents: [UnsafeMutablePointer<GXPSDocument>] = []

    /// A file has one of them, but for some that were put together.
    private static let mostDocuments = 1000

    /// Opens a file, which has to stay until this is gone.
    /// - Throws: `corrupt`.
    init(path: String) throws(PluginError) {
        let name = g_file_new_for_path(path)
        defer { g_object_unref(UnsafeMutableRawPointer(name)) }
        var failure: UnsafeMutablePointer<GError>?
        defer { if let failure { g_error_free(failure) } }
        guard let file = gxps_file_new(name, &failure) else { throw PluginError(gxps: failure) }
        self.file = file
        for number in 0..<min(gxps_file_get_n_documents(file), guint(Self.mostDocuments)) {
            // Of several, those that are not damaged are shown.
            if let document = gxps_file_get_document(file, number, nil) { documents.append(document) }
        }
    }

    deinit {
        for document in documents { g_object_unref(document) }
        g_object_unref(file)
    }

    /// Draws the page that is asked for.
    func rendering(_ request: RenderRequest) throws(PluginError) -> Rendering {
        let counts = documents.map { Int(gxps_document_get_n_pages($0)) }
        let pages = counts.reduce(0, +)
        guard pages > 0 else {
            throw PluginError(.corrupt, "the XPS document has no pages that can be found: it is cut off, or damaged")
        }
        try request.checkPage(of: pages, in: "the XPS document")
        var number = request.page, index = 0
        while number >= counts[index] {
            number -= counts[index]
            index += 1
        }
        var failure: UnsafeMutablePointer<GError>?
        defer { if let failure { g_error_free(failure) } }
        guard let page = gxps_document_get_page(documents[index], guint(number), &failure) else {
            throw PluginError(gxps: failure)
        }
        defer { g_object_unref(page) }
        var width = 0.0, height = 0.0
        gxps_page_get_size(page, &width, &height)
        guard let size = PixelSize.fitting(width: width, height: height, in: request.box, enlarging: true) else {
            throw PluginError(.corrupt, "the page has no usable size: \(width) × \(height)")
        }
        let bitmap = try Bitmap.page(size) { (size) throws(PluginError) in
            try Self.draw(page, width, height, at: size)
        }
        var rendering = Rendering(bitmap, facts: Facts(pages: pages))
        // Of 96 to an inch.
        rendering.facts.setPage(pointsWide: width * 0.75, high: height * 0.75)
        addProperties(to: &rendering.facts)
        return rendering
    }

    private static func draw(
        _ page: UnsafeMutablePointer<GXPSPage>, _ width: Double, _ height: Double, at size: PixelSize
    ) throws(PluginError) -> Bitmap {
        let bitmap = try Bitmap.white(size, format: .bgrx)
        var failure: UnsafeMutablePointer<GError>?
        defer { if let failure { g_error_free(failure) } }
        let (isDrawn, status) = bitmap.withUnsafeMutableBytes { rows in
            let surface = cairo_image_surface_create_for_data(
                rows.baseAddress?.assumingMemoryBound(to: UInt8.self), CAIRO_FORMAT_RGB24, CInt(size.width),
                CInt(size.height), CInt(bitmap.bytesPerRow))
            defer { cairo_surface_destroy(surface) }
            let context = cairo_create(surface)
            defer { cairo_destroy(context) }
            cairo_scale(context, Double(size.width) / width, Double(size.height) / height)
            let isDrawn = gxps_page_render(page, context, &failure) != 0
            cairo_surface_finish(surface)
            return (isDrawn, cairo_status(context))
        }
        guard isDrawn else { throw PluginError(gxps: failure) }
        guard status == CAIRO_STATUS_SUCCESS else {
            let isMemory = status == CAIRO_STATUS_NO_MEMORY || status == CAIRO_STATUS_INVALID_SIZE
            let reason = cairo_status_to_string(status).map { String(cString: $0) } ?? "status \(status.rawValue)"
            throw PluginError(isMemory ? .limitExceeded : .corrupt, "the page cannot be drawn (cairo: \(reason))")
        }
        return bitmap
    }

    private func addProperties(to facts: inout Facts) {
        guard let properties = gxps_file_get_core_properties(file, nil) else { return }
        defer { g_object_unref(properties) }
        facts.title = gxps_core_properties_get_title(properties).flatMap { Facts.line(String(cString: $0)) }
        facts.set(.author, gxps_core_properties_get_creator(properties).map { String(cString: $0) })
        let created = gxps_core_properties_get_created(properties)
        if created > 0 { facts.set(.created, FactDate(secondsSince1970: Int64(created))?.text) }
    }
}

extension PluginError {
    /// What libgxps says when it cannot read a document or draw a page.
    init(gxps failure: UnsafeMutablePointer<GError>?) {
        let reason = failure?.pointee.message.map { ": \(DisplayText.of(String(cString: $0)))" } ?? ""
        self.init(.corrupt, "the file is no XPS document, or it is damaged (libgxps\(reason))")
    }
}

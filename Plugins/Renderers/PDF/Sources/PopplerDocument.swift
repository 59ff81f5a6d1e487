internal import CPoppler
import Glibc
internal import VitrineKit

/// An open document; the one owner of poppler's object.
struct PopplerDocument: ~Copyable {
    private let handle: OpaquePointer

    /// Opens the file behind a descriptor, which stays the caller's.
    /// - Parameters:
    ///   - descriptor: of the file.
    ///   - password: what opens it. Poppler takes a document for damaged when it is wrong. Default: none.
    init(descriptor: CInt, _ password: Password? = nil) throws(PluginError) {
        // poppler closes the one that it is given, on failure too.
        let copy = dup(descriptor)
        guard copy >= 0 else { throw PluginError(errno: errno, "cannot duplicate the document's descriptor") }
        var failure: UnsafeMutablePointer<GError>?
        let handle = Password.withCString(Self.usable(password)) { poppler_document_new_from_fd(copy, $0, &failure) }
        guard let handle else { throw PluginError(taking: failure) }
        self.handle = handle
    }

    /// Opens a document that is in memory; keeps a copy.
    init(copying bytes: [UInt8]) throws(PluginError) {
        let bytes = g_bytes_new(bytes, gsize(bytes.count))
        defer { g_bytes_unref(bytes) }
        guard let bytes else { throw PluginError(.limitExceeded, "no memory is left to open the document") }
        try self.init(retaining: bytes)
    }

    fileprivate init(retaining bytes: OpaquePointer) throws(PluginError) {
        var failure: UnsafeMutablePointer<GError>?
        // With a password it would crash, if that is wrong (22.12).
        guard let handle = poppler_document_new_from_bytes(bytes, nil, &failure) else {
            throw PluginError(taking: failure)
        }
        self.handle = handle
    }

    /// A password that poppler takes: it turns all into Latin-1, and crashes when that cannot be.
    private static func usable(_ password: Password?) -> Password? {
        let isLatin = password?.withBytes { bytes in
            // Up to U+00FF no character begins with a byte above 0xC3.
            bytes.allSatisfy { $0 < 0xC4 } && g_utf8_validate(bytes.baseAddress, gssize(bytes.count), nil) != 0
        }
        return isLatin == true ? password : nil
    }

    deinit { g_object_unref(UnsafeMutableRawPointer(handle)) }

    /// Draws the page that is asked for.
    func rendering(_ request: RenderRequest) throws(PluginError) -> Rendering {
        let pages = Int(poppler_document_get_n_pages(handle))
        guard pages > 0 else { throw PluginError(.empty, "the PDF document has no pages") }
        try request.checkPage(of: pages, in: "the PDF document")
        try request.refuseMoment(in: "a PDF document")
        guard let page = poppler_document_get_page(handle, CInt(request.page)) else {
            throw PluginError(.corrupt, "page \(request.pageNumber) of the PDF document cannot be read")
        }
        defer { g_object_unref(UnsafeMutableRawPointer(page)) }
        let clock = ContinuousClock()
        let began = clock.now
        var rendering = Rendering(
            try draw(page, box: request.box),
            facts: Facts(pages: pages, title: Self.line(poppler_document_get_title(handle))))
        rendering.facts.set(.author, Self.line(poppler_document_get_author(handle)))
        let created = poppler_document_get_creation_date(handle)
        if created > 0 { rendering.facts.set(.created, FactDate(secondsSince1970: Int64(created))?.text) }
        let (width, height) = Self.size(of: page)
        rendering.facts.setPage(pointsWide: width, high: height)
        if request.wantsPageText {
            rendering.facts.text = Facts.bounded(Self.words(of: page))
        } else if request.wantsText {
            rendering.facts.text = text(of: pages, within: (clock.now - began) * Self.textShare)
        }
        return rendering
    }

    /// What the text of further pages may cost, as a share of drawing. The first one's is always read: it costs a
    /// tenth of that, and is what a document is most likely looked for by.
    private static let textShare = 0.05
    /// The most pages that are read.
    private static let textPages = 8

    /// The text of the first pages, as many as can be had in a time.
    private func text(of pages: Int, within budget: Duration) -> String? {
        let clock = ContinuousClock()
        let began = clock.now
        var text = ""
        for number in 0..<min(pages, Self.textPages) {
            if number > 0, clock.now - began > budget || text.utf8.count >= Facts.textLimit { break }
            guard let page = poppler_document_get_page(handle, CInt(number)) else { break }
            defer { g_object_unref(UnsafeMutableRawPointer(page)) }
            text += Self.words(of: page) + "\n"
        }
        text = Facts.bounded(text)
        return text.contains { !$0.isWhitespace } ? text : nil
    }

    /// The text of a page, or the beginning of it.
    private static func words(of page: OpaquePointer) -> String {
        guard let words = poppler_page_get_text(page) else { return "" }
        defer { g_free(words) }
        // Of a page that holds more, no more is copied than can be kept.
        let length = strnlen(words, Facts.textLimit + 1)
        return words.withMemoryRebound(to: UInt8.self, capacity: length) { bytes in
            Facts.bounded(String(decoding: UnsafeBufferPointer(start: bytes, count: length), as: UTF8.self))
        }
    }

    /// The crop box in points, already turned as the page says.
    private static func size(of page: OpaquePointer) -> (width: Double, height: Double) {
        var size = (width: 0.0, height: 0.0)
        poppler_page_get_size(page, &size.width, &size.height)
        return size
    }

    private func draw(_ page: OpaquePointer, box: Int) throws(PluginError) -> Bitmap {
        let (width, height) = Self.size(of: page)
        guard let size = PixelSize.fitting(width: width, height: height, in: box, enlarging: true) else {
            throw PluginError(.corrupt, "the page has no usable size: \(width) × \(height) points")
        }
        return try Bitmap.page(size) { (size) throws(PluginError) in try draw(page, at: size) }
    }

    private func draw(_ page: OpaquePointer, at size: PixelSize) throws(PluginError) -> Bitmap {
        let (width, height) = Self.size(of: page)
        let bitmap = try Bitmap.white(size, format: .bgrx)
        let status = bitmap.withUnsafeMutableBytes { rows in
            let surface = cairo_image_surface_create_for_data(
                rows.baseAddress?.assumingMemoryBound(to: UInt8.self), CAIRO_FORMAT_RGB24, CInt(size.width),
                CInt(size.height), CInt(bitmap.bytesPerRow))
            defer { cairo_surface_destroy(surface) }
            let context = cairo_create(surface)
            defer { cairo_destroy(context) }
            // Each side by its own factor, so that rounding leaves no white seam at an edge.
            cairo_scale(context, Double(size.width) / width, Double(size.height) / height)
            poppler_page_render(page, context)
            cairo_surface_finish(surface)
            return cairo_status(context)
        }
        if let error = PluginError(cairo: status) { throw error }
        return bitmap
    }

    /// What the document says of itself, on one line; frees what poppler gave.
    private static func line(_ text: UnsafeMutablePointer<CChar>?) -> String? {
        guard let text else { return nil }
        defer { g_free(text) }
        return Facts.line(String(cString: text))
    }
}

extension UnsafeRawBufferPointer {
    /// Opens a document that lies in this memory, for as long as `body` runs.
    func withPopplerDocument<R>(
        _ body: (borrowing PopplerDocument) throws(PluginError) -> R
    ) throws(PluginError) -> R {
        let bytes = g_bytes_new_static(baseAddress, gsize(count))
        defer { g_bytes_unref(bytes) }
        guard let bytes else { throw PluginError(.limitExceeded, "no memory is left to open the document") }
        return try body(PopplerDocument(retaining: bytes))
    }
}

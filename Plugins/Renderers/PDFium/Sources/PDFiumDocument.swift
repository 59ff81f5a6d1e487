internal import CPDFium
internal import VitrineKit

/// An open document; the one owner of PDFium's object.
struct PDFiumDocument: ~Copyable {
    let functions: cpdfium_functions
    let handle: OpaquePointer

    /// Opens a document that lies in memory, which must stay there for as long as this lives.
    init(_ bytes: UnsafeRawBufferPointer, _ library: PDFiumLibrary, _ password: Password?) throws(PluginError) {
        let handle = Password.withCString(password) {
            library.functions.open_memory(bytes.baseAddress, bytes.count, $0)
        }
        guard let handle else {
            throw DocumentDamage.reason(library.openingError, bytes)
        }
        functions = library.functions
        self.handle = handle
    }

    /// Opens a document that is read piece by piece; the file must live as long as this.
    init(
        _ file: UnsafeMutablePointer<cpdfium_file>, _ library: PDFiumLibrary, _ password: Password?
    ) throws(PluginError) {
        let handle = Password.withCString(password) { library.functions.open_file(file, $0) }
        guard let handle else { throw library.openingError }
        functions = library.functions
        self.handle = handle
    }

    deinit { functions.close_document(handle) }

    /// Draws the page that is asked for.
    func rendering(_ request: RenderRequest) throws(PluginError) -> Rendering {
        let pages = Int(functions.page_count(handle))
        guard pages > 0 else { throw PluginError(.empty, "the PDF document has no pages") }
        try request.checkPage(of: pages, in: "the PDF document")
        try request.refuseMoment(in: "a PDF document")
        guard let page = functions.open_page(handle, CInt(request.page)) else {
            throw PluginError(.corrupt, "page \(request.pageNumber) of the PDF document cannot be read")
        }
        defer { functions.close_page(page) }
        showMediaBox(of: page)
        addBareAnnotations(to: page)
        let clock = ContinuousClock()
        let began = clock.now
        var rendering = Rendering(
            try draw(page, box: request.box), facts: Facts(pages: pages, title: metadata("Title")))
        rendering.isKnownBlank = try isKnownBlank(page, drawn: rendering.bitmap)
        rendering.facts.set(.author, metadata("Author"))
        rendering.facts.set(.created, metadata("CreationDate").flatMap(FactDate.init)?.text)
        rendering.facts.setPage(
            pointsWide: Double(functions.page_width(page)), high: Double(functions.page_height(page)))
        guard request.wantsText else { return rendering }
        if request.wantsPageText {
            rendering.facts.text = Facts.bounded(words(on: page, request.page))
            return rendering
        }
        rendering.facts.text = text(page, request.page, of: pages, drawnIn: clock.now - began)
        return rendering
    }

    /// Makes the whole of a page seen whose crop box lies outside of it, as other viewers do: PDFium shows nothing.
    private func showMediaBox(of page: OpaquePointer) {
        guard functions.page_width(page) <= 0 || functions.page_height(page) <= 0 else { return }
        // Larger than any page; what lies in the media box is all of that.
        let far: Float = 1_000_000
        functions.set_crop_box(page, -far, -far, far, far)
    }

    private func draw(_ page: OpaquePointer, box: Int) throws(PluginError) -> Bitmap {
        let (width, height) = (Double(functions.page_width(page)), Double(functions.page_height(page)))
        guard let size = PixelSize.fitting(width: width, height: height, in: box, enlarging: true) else {
            throw PluginError(.corrupt, "the page has no usable size: \(width) × \(height) points")
        }
        return try Bitmap.page(size) { (size) throws(PluginError) in try draw(page, at: size) }
    }

    /// Draws a page.
    /// - Parameters:
    ///   - size: in pixels; each side has a scale of its own.
    ///   - isPaperBlack: whether what is drawn in white is to be seen. Default: no.
    func draw(
        _ page: OpaquePointer, at size: PixelSize, isPaperBlack: Bool = false
    ) throws(PluginError) -> Bitmap {
        let bitmap =
            isPaperBlack
            ? try Bitmap(width: size.width, height: size.height, format: .bgrx) : try Bitmap.white(size, format: .bgrx)
        let isDrawn = bitmap.withUnsafeMutableBytes { rows in
            let (width, height) = (CInt(size.width), CInt(size.height))
            let target = functions.open_bitmap(
                width, height, CInt(CPDFIUM_BGRX), rows.baseAddress, CInt(bitmap.bytesPerRow))
            guard let target else { return false }
            defer { functions.close_bitmap(target) }
            functions.draw(target, page, 0, 0, width, height, 0, CInt(CPDFIUM_DRAW_ANNOTATIONS))
            withForm(on: page) { form in
                functions.draw_form(form, target, page, 0, 0, width, height, 0, CInt(CPDFIUM_DRAW_ANNOTATIONS))
            }
            return true
        }
        guard isDrawn else {
            throw PluginError(.limitExceeded, "drawing the page needs more memory than the renderer may use")
        }
        return bitmap
    }

    /// Calls `body` with the document's form, if it has one: fields are drawn apart from the page. A page that was taken out of
    /// another document has its fields, and mostly no form that lists them; viewers show them all the same.
    private func withForm(on page: OpaquePointer, _ body: (OpaquePointer) -> Void) {
        guard functions.form_type(handle) != 0 || hasField(page) else { return }
        var viewer = cpdfium_still_viewer()
        withUnsafeMutablePointer(to: &viewer) { viewer in
            guard let form = functions.open_form(handle, viewer) else { return }
            defer { functions.close_form(form) }
            functions.enter_page(page, form)
            defer { functions.leave_page(page, form) }
            body(form)
        }
    }

    /// What the document says of itself, on one line.
    /// - Parameter key: of the information dictionary (ISO 32000-1, table 317).
    private func metadata(_ key: String) -> String? {
        let size = functions.metadata(handle, key, nil, 0)
        guard size > 2, size <= 64 << 10 else { return nil }
        var units = [UInt16](repeating: 0, count: Int(size) / 2)
        let read = units.withUnsafeMutableBytes { functions.metadata(handle, key, $0.baseAddress, size) }
        guard read == size else { return nil }
        return Facts.line(String(decoding: units.prefix { $0 != 0 }, as: UTF16.self))
    }
}

internal import CDjVu
internal import Glibc
internal import VitrineKit

/// A DjVu document in DjVuLibre's hands; the one owner of its objects.
///
/// DjVuLibre decodes on threads of its own and sends messages; here they are waited for.
final class DjVuDocument {
    /// A page that was drawn.
    struct Page {
        var bitmap: Bitmap
        /// Of the page itself, upright.
        var size: PixelSize
        /// Whether there is nothing on it.
        var isBlank: Bool
    }

    private let context: OpaquePointer
    private let document: OpaquePointer
    /// What DjVuLibre complained about first, in its words.
    private var complaint: String?
    /// Whether a part was asked for that lies in another file.
    private var isSpread = false

    /// Reads a document's directory.
    /// - Parameter bytes: the whole file; copied.
    /// - Throws: `corrupt`, `unsupported`, `limitExceeded`.
    init(_ bytes: UnsafeRawBufferPointer) throws(PluginError) {
        guard let context = ddjvu_context_create("vitrine") else { throw Self.outOfMemory }
        guard let document = ddjvu_document_create(context, nil, 0) else {
            ddjvu_context_release(context)
            throw Self.outOfMemory
        }
        self.context = context
        self.document = document
        ddjvu_stream_write(
            document, 0, bytes.baseAddress?.assumingMemoryBound(to: CChar.self), CUnsignedLong(bytes.count))
        ddjvu_stream_close(document, 0, 0)
        try wait(for: ddjvu_document_job(document))
    }

    deinit {
        ddjvu_job_release(ddjvu_document_job(document))
        ddjvu_context_release(context)
    }

    /// Thousandths of a second in which a complaint follows a failure.
    private static let patience = 50

    private static let outOfMemory = PluginError(
        .limitExceeded, "reading the DjVu document needs more memory than the renderer may use")

    /// Starts DjVuLibre: a first time, it reads names of folders and of languages. No thread is left.
    static func warmUp() throws(PluginError) {
        guard let context = ddjvu_context_create("vitrine") else {
            throw PluginError(.pluginUnavailable, "DjVuLibre does not start")
        }
        ddjvu_context_release(context)
    }

    // MARK: Messages

    /// Waits for a job's end.
    /// - Throws: why it failed.
    private func wait(for job: OpaquePointer?) throws(PluginError) {
        while ddjvu_job_status(job).rawValue < DDJVU_JOB_OK.rawValue { waitForMessages() }
        guard ddjvu_job_status(job) == DDJVU_JOB_OK else { throw failure() }
    }

    /// Waits for a message, and takes all that have come.
    private func waitForMessages() {
        ddjvu_message_wait(context)
        takeMessages()
    }

    /// Takes all messages that have come: of a job that ended, what it complained about may still wait.
    private func takeMessages() {
        while let message = ddjvu_message_peek(context) {
            switch message.pointee.m_any.tag {
            case DDJVU_ERROR where complaint == nil:
                complaint = message.pointee.m_error.message.map { String(cString: $0) } ?? ""
            case DDJVU_NEWSTREAM where message.pointee.m_newstream.streamid > 0:
                // There is nothing but this file.
                isSpread = true
                ddjvu_stream_close(document, message.pointee.m_newstream.streamid, 1)
            default: break
            }
            ddjvu_message_pop(context)
        }
    }

    private func failure() -> PluginError {
        takeMessages()
        // DjVuLibre's thread sets the state of a job first, and tells then what is wrong.
        for _ in 0..<Self.patience where complaint == nil && !isSpread {
            // A worker may not sleep otherwise.
            _ = poll(nil, 0, 1)
            takeMessages()
        }
        if isSpread {
            return PluginError(
                .unsupported, "the DjVu document is an index of other files, of which each is drawn by itself")
        }
        return Self.failure(complaint)
    }

    /// What a complaint means; layers of a page may be larger than the page says it is.
    static func failure(_ complaint: String?) -> PluginError {
        // By the name where DjVuLibre's texts cannot be read, else by the number, which all its languages have.
        if let complaint, ["GException.outofmemory", "-14000]"].contains(where: complaint.contains) {
            return outOfMemory
        }
        let words = complaint.map { " (DjVuLibre: \(DisplayText.of($0)))" } ?? ""
        return PluginError(.corrupt, "the DjVu document is damaged" + words)
    }

    // MARK: Pages

    /// How many pages there are.
    var pages: Int { max(0, Int(ddjvu_document_get_pagenum(document))) }

    /// Draws a page, no larger than it is.
    /// - Parameters:
    ///   - number: from 0 on, below ``pages``.
    ///   - box: the longest side wanted.
    ///   - maximumPixels: of the page, checked before it is decoded.
    /// - Throws: `corrupt`, `unsupported`, `limitExceeded`.
    func page(_ number: Int, box: Int, maximumPixels: Int) throws(PluginError) -> Page {
        try checkSize(number, maximumPixels)
        guard let page = ddjvu_page_create_by_pageno(document, CInt(number)) else { throw failure() }
        defer { ddjvu_job_release(ddjvu_page_job(page)) }
        try wait(for: ddjvu_page_job(page))
        let size = PixelSize(width: Int(ddjvu_page_get_width(page)), height: Int(ddjvu_page_get_height(page)))
        guard
            let fitting = PixelSize.fitting(
                width: Double(size.width), height: Double(size.height), in: box, enlarging: false)
        else { throw failure() }
        let bitmap = try Bitmap(width: fitting.width, height: fitting.height, format: .bgrx)
        let isDrawn = try draw(page, on: bitmap)
        takeMessages()
        // A page that could be decoded and has no layer is paper.
        guard isDrawn || complaint == nil else { throw failure() }
        if !isDrawn { bitmap.fillWhite() }
        return Page(bitmap: bitmap, size: size, isBlank: !isDrawn)
    }

    /// Refuses pages that are too large to be decoded.
    private func checkSize(_ number: Int, _ maximumPixels: Int) throws(PluginError) {
        var info = ddjvu_pageinfo_t()
        let room = CUnsignedInt(MemoryLayout<ddjvu_pageinfo_t>.size)
        var status = ddjvu_document_get_pageinfo_imp(document, CInt(number), &info, room)
        while status.rawValue < DDJVU_JOB_OK.rawValue {
            waitForMessages()
            status = ddjvu_document_get_pageinfo_imp(document, CInt(number), &info, room)
        }
        guard status == DDJVU_JOB_OK, info.width > 0, info.height > 0 else { throw failure() }
        let (pixels, overflow) = Int(info.width).multipliedReportingOverflow(by: Int(info.height))
        guard !overflow, pixels <= maximumPixels else {
            throw PluginError(
                .limitExceeded,
                "the page has \(info.width) × \(info.height) pixels; at most \(maximumPixels) are decoded")
        }
    }

    /// Draws all layers of a page.
    /// - Returns: whether there were any.
    private func draw(_ page: OpaquePointer, on bitmap: Bitmap) throws(PluginError) -> Bool {
        // Red, green and blue in a number of 32 bits, the lowest byte first.
        var masks: [CUnsignedInt] = [0xFF_0000, 0xFF00, 0xFF]
        guard let format = ddjvu_format_create(DDJVU_FORMAT_RGBMASK32, CInt(masks.count), &masks) else {
            throw Self.outOfMemory
        }
        defer { ddjvu_format_release(format) }
        ddjvu_format_set_row_order(format, 1)
        var all = ddjvu_rect_t(x: 0, y: 0, w: CUnsignedInt(bitmap.width), h: CUnsignedInt(bitmap.height))
        return bitmap.withUnsafeMutableBytes { rows in
            ddjvu_page_render(
                page, DDJVU_RENDER_COLOR, &all, &all, format, CUnsignedLong(bitmap.bytesPerRow),
                rows.baseAddress?.assumingMemoryBound(to: CChar.self)) != 0
        }
    }

    /// The text that was recognized on a page; `nil` when there is none.
    func text(of number: Int) -> String? {
        let page = ddjvu_document_get_pagetext(document, CInt(number), "page")
        defer { ddjvu_miniexp_release(document, page) }
        return cdjvu_text(page).map { String(cString: $0) }
    }
}

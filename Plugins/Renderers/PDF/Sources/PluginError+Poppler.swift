internal import CPoppler
internal import VitrineKit

/// The one place where codes of poppler and cairo become errors.
extension PluginError {
    /// What poppler says when it cannot open a document. Frees the error.
    init(taking failure: UnsafeMutablePointer<GError>?) {
        guard let failure else {
            self.init(.corrupt, "poppler cannot open the PDF document and does not say why")
            return
        }
        defer { g_error_free(failure) }
        let message = failure.pointee.message.map { String(cString: $0) } ?? "no reason given"
        let (code, summary) = Self.meaning(domain: failure.pointee.domain, code: failure.pointee.code)
        self.init(code, "\(summary) (poppler: \(message))")
    }

    private static func meaning(domain: GQuark, code: CInt) -> (Code, String) {
        guard domain == poppler_error_quark() else { return (.io, "the PDF document cannot be read") }
        switch PopplerError(UInt32(bitPattern: code)) {
        case POPPLER_ERROR_ENCRYPTED:
            return (.encrypted, "the PDF document needs a password, or is locked in a way that poppler does not know")
        case POPPLER_ERROR_OPEN_FILE: return (.io, "the PDF document cannot be opened")
        case POPPLER_ERROR_BAD_CATALOG: return (.corrupt, "the PDF document's list of pages is damaged")
        default: return (.corrupt, "the file is not a PDF document, or it is damaged beyond repair")
        }
    }

    /// What cairo says after drawing; `nil` when all went well.
    init?(cairo status: cairo_status_t) {
        switch status {
        case CAIRO_STATUS_SUCCESS: return nil
        case CAIRO_STATUS_NO_MEMORY, CAIRO_STATUS_INVALID_SIZE:
            self.init(.limitExceeded, "drawing the page needs more memory than the renderer may use")
        default:
            let reason = cairo_status_to_string(status).map { String(cString: $0) } ?? "status \(status.rawValue)"
            self.init(.corrupt, "the page cannot be drawn (cairo: \(reason))")
        }
    }
}

internal import CRSVG
internal import VitrineKit

/// The one place where codes of librsvg, GLib, zlib and cairo become errors.
///
/// librsvg has a single code of its own for all that can go wrong, so what was being done decides.
extension PluginError {
    /// What librsvg says when it cannot read a drawing. Frees the error.
    init(loading failure: UnsafeMutablePointer<GError>?) {
        self.init(
            taking: failure, .corrupt,
            "the file is not an SVG drawing, or it is damaged or nested beyond what librsvg reads")
    }

    /// What librsvg says when it cannot draw: a drawing that was read fails by its demands, but for a transformation that cannot
    /// be undone, which only the sentence tells. Frees the error.
    init(drawing failure: UnsafeMutablePointer<GError>?) {
        if let message = failure?.pointee.message, String(cString: message).contains("InvalidMatrix") {
            self.init(
                taking: failure, .corrupt,
                "the SVG drawing cannot be drawn: one of its transformations leaves nothing of what it transforms")
            return
        }
        self.init(
            taking: failure, .limitExceeded,
            "the SVG drawing repeats its parts more often, or needs more memory, than the renderer allows")
    }

    private init(taking failure: UnsafeMutablePointer<GError>?, _ code: Code, _ summary: String) {
        guard let failure else {
            self.init(code, summary)
            return
        }
        defer { g_error_free(failure) }
        // libxml2's sentences end a line.
        let words = failure.pointee.message.map { String(cString: $0).split(whereSeparator: \.isNewline) } ?? []
        let reason = words.isEmpty ? "no reason given" : DisplayText.of(words.joined(separator: " "))
        if failure.pointee.domain == g_io_error_quark() {
            self.init(.io, "the SVG drawing cannot be read (GIO: \(reason))")
        } else {
            self.init(code, "\(summary) (librsvg: \(reason))")
        }
    }

    /// What cairo says after drawing; `nil` when all went well.
    init?(cairo status: cairo_status_t) {
        switch status {
        case CAIRO_STATUS_SUCCESS: return nil
        case CAIRO_STATUS_NO_MEMORY, CAIRO_STATUS_INVALID_SIZE:
            self.init(.limitExceeded, "the SVG drawing needs more memory than the renderer may use")
        default:
            let reason = cairo_status_to_string(status).map { String(cString: $0) } ?? "status \(status.rawValue)"
            self.init(.corrupt, "the SVG drawing cannot be drawn (cairo: \(reason))")
        }
    }

    /// What zlib says; `nil` when all went well.
    init?(zlib status: CInt) {
        switch status {
        case Z_OK, Z_STREAM_END: return nil
        case Z_MEM_ERROR:
            self.init(.limitExceeded, "no memory is left to decompress the SVG drawing")
        case Z_BUF_ERROR: self.init(.corrupt, "the compressed SVG drawing is cut short")
        default: self.init(.corrupt, "the compressed SVG drawing is damaged (zlib: \(status))")
        }
    }
}

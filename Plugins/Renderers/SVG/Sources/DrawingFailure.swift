internal import CRSVG
internal import VitrineKit

/// Why a drawing was not drawn.
struct DrawingFailure {
    let error: PluginError
    /// Whether a font failed, which need not be the drawing's fault.
    let isOfFont: Bool

    /// What librsvg says. Frees the error.
    init(librsvg failure: UnsafeMutablePointer<GError>?) {
        // librsvg has a single code for all that goes wrong: cairo's status is told by its sentence alone.
        isOfFont = failure?.pointee.message.map { String(cString: $0).contains("FreetypeError") } ?? false
        error = PluginError(drawing: failure)
    }

    /// What cairo says after drawing; `nil` when all went well.
    init?(cairo status: cairo_status_t) {
        guard let error = PluginError(cairo: status) else { return nil }
        self.error = error
        isOfFont = status == CAIRO_STATUS_FREETYPE_ERROR
    }
}

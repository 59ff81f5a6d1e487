internal import CPoppler
public import VitrineKit

/// Draws pages of PDF documents with poppler and cairo.
///
/// A page is drawn straight at the size asked for, the crop box with the page's own rotation, on white. Form
/// fields and annotations are drawn as a viewer shows them; scripts and actions are not run.
public final class PDFRenderer: Renderer {
    private let contentLimit: Int64
    /// Kept open: poppler forgets all that it has loaded when its last document is closed.
    private let warmUp: PopplerDocument

    /// Loads what poppler loads late: fontconfig's list of fonts, the standard fonts' substitutes, and the colour
    /// transforms of LittleCMS, whose set-up is not safe among threads.
    public init(_ environment: RendererEnvironment) throws(PluginError) {
        // Beside a document in memory there must be room for what poppler needs to draw it.
        contentLimit = environment.addressSpace / 4
        // Loaded once and kept: poppler turns passwords into Latin-1.
        guard g_iconv_open("ISO-8859-1", "UTF-8") != GIConv(bitPattern: -1) else {
            throw PluginError(.pluginUnavailable, "the C library cannot convert to Latin-1; install libc6 again")
        }
        g_log_set_default_handler({ _, _, _, _ in }, nil)
        guard FcInit() != 0 else {
            throw PluginError(.pluginUnavailable, "fontconfig finds no configuration; install fontconfig-config")
        }
        do throws(PluginError) {
            warmUp = try PopplerDocument(copying: WarmUpDocument.bytes)
            _ = try warmUp.rendering(RenderRequest(box: 64, mimeType: "application/pdf"))
        } catch {
            throw PluginError(.pluginUnavailable, "poppler cannot draw a page of its own: \(error.message)")
        }
    }

    /// Draws a page.
    /// - Throws: `encrypted` when a password is needed, `empty` for no bytes or no pages, `invalidArgument` for a
    ///   page that is not there or a moment, `corrupt`, `limitExceeded`; and what reading throws.
    public func render(
        _ input: any RandomAccessInput, _ request: RenderRequest
    ) throws(PluginError) -> Rendering {
        try input.checkNotEmpty("the PDF document")
        if let password = request.password { return try unlocked(input, password).rendering(request) }
        // Poppler reads a descriptor in bits of 256 bytes, a call for each; memory costs none.
        if input.size > contentLimit, let descriptor = input.fileDescriptor {
            return try PopplerDocument(descriptor: descriptor).rendering(request)
        }
        return try input.withContents(limit: contentLimit) { bytes throws(PluginError) in
            try bytes.withPopplerDocument { document throws(PluginError) in
                try document.rendering(request)
            }
        }
    }

    /// Opens a document that was found to be encrypted.
    private func unlocked(_ input: any RandomAccessInput, _ password: Password) throws(PluginError) -> PopplerDocument {
        guard let descriptor = input.fileDescriptor else {
            throw PluginError(.encrypted, "poppler opens encrypted documents of this machine only")
        }
        do throws(PluginError) { return try PopplerDocument(descriptor: descriptor, password) } catch {
            guard error.code == .corrupt else { throw error }
            throw PluginError(.encrypted, "the PDF document needs another password (poppler)")
        }
    }
}

internal import CPoppler
public import VitrineKit

/// Draws pages of PDF documents with poppler and cairo.
///
/// A page is drawn straight at the size asked for, the crop box with the page's own rotation, on white. Form
/// fields and annotations are drawn as a viewer shows them; scripts and actions are not run.
public final class PDFRenderer: Renderer {
    private let contentLimit: Int64

    /// Loads what poppler loads late: fontconfig's list of fonts, the standard fonts' substitutes, the character
    /// maps of Asian fonts, and the colour transforms of LittleCMS, whose set-up is not safe among threads.
    public init(_ environment: RendererEnvironment) throws(PluginError) {
        // Documents without a descriptor are held in memory, beside what poppler needs to draw them.
        contentLimit = environment.addressSpace / 4
        g_log_set_default_handler({ _, _, _, _ in }, nil)
        guard FcInit() != 0 else {
            throw PluginError(.pluginUnavailable, "fontconfig finds no configuration; install fontconfig-config")
        }
        let page = UnsafeMutableRawBufferPointer.allocate(byteCount: WarmUpDocument.bytes.count, alignment: 1)
        defer { page.deallocate() }
        page.copyBytes(from: WarmUpDocument.bytes)
        do throws(PluginError) {
            _ = try UnsafeRawBufferPointer(page).withPopplerDocument { document throws(PluginError) in
                try document.rendering(RenderRequest(box: 64, mimeType: "application/pdf"))
            }
        } catch {
            throw PluginError(.pluginUnavailable, "poppler cannot draw a page of its own: \(error.message)")
        }
    }

    /// Draws a page.
    /// - Throws: `encrypted` when a password is needed, `empty` for no bytes or no pages, `unsupported` for a page
    ///   that is not there, `corrupt`, `limitExceeded`; and what reading throws.
    public func render(
        _ input: any RandomAccessInput, _ request: RenderRequest
    ) throws(PluginError) -> Rendering {
        guard input.size > 0 else { throw PluginError(.empty, "the PDF document is empty: it has no bytes") }
        if let descriptor = input.fileDescriptor {
            return try PopplerDocument(descriptor: descriptor).rendering(request)
        }
        return try input.withContents(limit: contentLimit) { bytes throws(PluginError) in
            try bytes.withPopplerDocument { document throws(PluginError) in try document.rendering(request) }
        }
    }
}

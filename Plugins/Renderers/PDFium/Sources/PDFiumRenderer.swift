public import VitrineKit

/// Draws pages of PDF documents with PDFium, Chromium's library.
///
/// A page is drawn straight at the size asked for, the crop box with the page's own rotation, on white. Form fields
/// and annotations are drawn as a viewer shows them. The library is one without JavaScript and XFA.
public final class PDFiumRenderer: Renderer {
    private let library: PDFiumLibrary
    private let contentLimit: Int64
    /// Bytes of a document that is read whole wherever it lies.
    private static let smallSize: Int64 = 256 << 10

    /// Starts the library and lets it find the fonts of the system, which it does when the first one is missing in a
    /// document.
    /// - Throws: `pluginUnavailable` when PDFium is not installed.
    public init(_ environment: RendererEnvironment) throws(PluginError) {
        // Beside a document in memory there must be room for what drawing needs.
        contentLimit = environment.addressSpace / 4
        library = try PDFiumLibrary()
        do throws(PluginError) {
            let input = WarmUpDocument.bytes
            var result: Result<Rendering, PluginError> = .failure(PluginError(.io, "it was not opened"))
            input.withUnsafeBytes { bytes in
                do throws(PluginError) {
                    let document = try PDFiumDocument(bytes, library, nil)
                    result = .success(try document.rendering(RenderRequest(box: 64, mimeType: "application/pdf")))
                } catch { result = .failure(error) }
            }
            _ = try result.get()
        } catch {
            throw PluginError(.pluginUnavailable, "PDFium cannot draw a page of its own: \(error.message)")
        }
    }

    /// Draws a page.
    /// - Throws: `encrypted` when a password is needed, `locked` when another key is, `empty` for no bytes or no pages, `invalidArgument` for a page
    ///   that is not there, `corrupt`, `limitExceeded`; and what reading throws.
    public func render(
        _ input: any RandomAccessInput, _ request: RenderRequest
    ) throws(PluginError) -> Rendering {
        try input.checkNotEmpty("the PDF document")
        // Of a large document that lies elsewhere only the pieces are read that a page needs.
        if input.size > contentLimit || (input.fileDescriptor == nil && input.size > Self.smallSize) {
            return try PieceReader(input).withFile { file throws(PluginError) in
                try PDFiumDocument(file, library, request.password).rendering(request)
            }
        }
        return try input.withContents(limit: contentLimit) { bytes throws(PluginError) in
            try PDFiumDocument(bytes, library, request.password).rendering(request)
        }
    }
}

public import VitrineKit

/// Draws pages of PostScript documents and EPS drawings with Ghostscript, at the size asked for.
///
/// PostScript is a programming language: what runs may run for ever, and ask for any memory. It gets no files but
/// Ghostscript's own and fonts, and an interpreter for itself; the rest is for the worker's bounds.
public final class PostScriptRenderer: Renderer {
    private let maximumPixels: Int
    private let contentLimit: Int64

    /// Lets Ghostscript start once.
    /// - Throws: `pluginUnavailable` when it does not, as where its resources are not installed.
    public init(_ environment: RendererEnvironment) throws(PluginError) {
        maximumPixels = environment.maximumPixels
        contentLimit = environment.addressSpace / 4
        let sink = PageSink(page: 0, maximumPixels)
        let interpreter = try Interpreter(sink)
        let failure = Array("%!PS\n0 0 99 99 rectfill showpage\n".utf8).withUnsafeBytes { program in
            interpreter.run(program, Prologue(box: 64))
        }
        guard failure == nil, sink.bitmap != nil else {
            throw PluginError(
                .pluginUnavailable,
                "Ghostscript cannot draw a page of its own (\(failure?.message ?? "none was shown")); install libgs10-common"
            )
        }
    }

    /// Draws a page.
    /// - Throws: `empty` for no bytes, `corrupt` for an error of the program, `unsupported` for one that asks for files,
    ///   `limitExceeded`, `invalidArgument` for a page that is not there; and what reading throws.
    public func render(
        _ input: any RandomAccessInput, _ request: RenderRequest
    ) throws(PluginError) -> Rendering {
        try input.checkNotEmpty("the PostScript document")
        try request.refuseMoment(in: "a document")
        return try input.withContents(limit: contentLimit) { bytes throws(PluginError) in
            let file = try PostScriptFile(bytes, mimeType: request.mimeType)
            let sink = PageSink(page: request.page, maximumPixels)
            let failure = try Interpreter(sink).run(file.program, Prologue(file, box: request.box))
            // A page that was refused may have been replaced by another one.
            if let refusal = sink.refusal { throw refusal }
            if let bitmap = sink.bitmap {
                return Rendering(bitmap, facts: Facts(pages: file.pages, title: file.title))
            }
            if let failure { throw failure }
            try request.checkPage(of: max(1, sink.shown), in: "the document")
            throw PluginError(
                .corrupt, "the PostScript program ends before it shows a page: it is cut off, or draws none")
        }
    }
}

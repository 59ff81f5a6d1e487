internal import CRSVG
import Glibc
public import VitrineKit

/// Draws SVG drawings, plain or compressed with gzip, with librsvg and cairo.
///
/// A drawing has no place that its links could start from, so nothing outside of it is read: no file, no server, no
/// external entity. Pictures inside of it (`data:`) are drawn. It is drawn straight at the size asked for; what it
/// leaves transparent stays so. Animations stand still and scripts are not run.
public final class SVGRenderer: Renderer {
    /// The most bytes of a drawing, and of what a compressed one may become.
    static let contentLimit = 32 << 20

    /// Loads what librsvg loads late: fontconfig's list of fonts, the decoders of pictures, the tables of encodings.
    public init(_ environment: RendererEnvironment) throws(PluginError) {
        g_log_set_default_handler({ _, _, _, _ in }, nil)
        // Filters would start a thread for each processor, in each worker.
        setenv("RAYON_NUM_THREADS", "1", 1)
        guard FcInit() != 0 else {
            throw PluginError(.pluginUnavailable, "fontconfig finds no configuration; install fontconfig-config")
        }
        do throws(PluginError) { _ = try WarmUpDocument.bytes.rendering(box: 64) } catch {
            throw PluginError(.pluginUnavailable, "librsvg cannot draw a picture of its own: \(error.message)")
        }
    }

    /// Draws a drawing, which has one page and no moments.
    /// - Throws: `empty` for no bytes or no area, `corrupt`, `limitExceeded`, `invalidArgument` for another page or a
    ///   moment; and what reading throws.
    public func render(
        _ input: any RandomAccessInput, _ request: RenderRequest
    ) throws(PluginError) -> Rendering {
        try request.checkSinglePicture(in: "the drawing")
        return try input.withContents(limit: Int64(Self.contentLimit)) { bytes throws(PluginError) in
            guard GzipStream.begins(bytes) else {
                var rendering = try SVGDocument(bytes).rendering(box: request.box)
                rendering.facts.title = SVGTitle.of(bytes)
                return rendering
            }
            return try GzipStream.inflate(bytes, limit: Self.contentLimit).rendering(box: request.box)
        }
    }
}

extension [UInt8] {
    /// Draws the drawing that these bytes are.
    fileprivate func rendering(box: Int) throws(PluginError) -> Rendering {
        try withUnsafeBufferPointer { bytes throws(PluginError) in
            var rendering = try SVGDocument(UnsafeRawBufferPointer(bytes)).rendering(box: box)
            rendering.facts.title = SVGTitle.of(UnsafeRawBufferPointer(bytes))
            return rendering
        }
    }
}

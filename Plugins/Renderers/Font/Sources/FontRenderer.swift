internal import CFont
internal import TextDrawing
public import VitrineKit

/// Draws a specimen of a font in its own script, with FreeType, HarfBuzz and cairo, and its name below.
///
/// The faces of a collection are its pages.
public final class FontRenderer: Renderer {
    private let library: FontLibrary

    /// Bytes of a font: the largest ones of Chinese have a quarter of it.
    private static let longest: Int64 = 128 << 20

    /// Starts FreeType, and loads the fonts in which names are written.
    public init(_ environment: RendererEnvironment) throws(PluginError) {
        try DrawingLibrary.warmUp()
        library = try FontLibrary()
    }

    /// Draws a face.
    /// - Throws: `empty` for no bytes or no glyph that can be seen, `corrupt`, `limitExceeded`, `invalidArgument` for a
    ///   face that is not there, or what the input throws.
    public func render(_ input: any RandomAccessInput, _ request: RenderRequest) throws(PluginError) -> Rendering {
        try request.refuseMoment(in: "a font")
        return try input.withContents(limit: Self.longest) { (bytes) throws(PluginError) in
            let face = try FontFace(library, bytes, request)
            let title = [face.family, face.style == "Regular" ? nil : face.style].compactMap(\.self)
            let page = try Page(box: request.box, width: 210, height: 210)
            try SpecimenSheet.draw(face, title, on: page)
            let bitmap = try page.finish()
            var facts = Facts(
                pages: face.count > 1 ? face.count : nil, title: title.isEmpty ? nil : title.joined(separator: " "))
            facts.set(.family, face.family)
            facts.set(.style, face.style)
            return Rendering(bitmap, facts: facts)
        }
    }
}

internal import TextDrawing
public import VitrineKit

/// Draws ICC profiles: the diagram of all colours, with the part of them that a screen, camera or printer has, beside that of
/// sRGB, and the profile's name.
public final class ICCRenderer: Renderer {
    /// Bytes of a profile: those of printers have some megabytes.
    private static let longest: Int64 = 32 << 20

    /// Loads fonts.
    public init(_ environment: RendererEnvironment) throws(PluginError) { try DrawingLibrary.warmUp() }

    /// Draws a profile, which has one page and no moments.
    /// - Throws: `empty` for no bytes, `corrupt`, `unsupported` for profiles that are about no device, `limitExceeded`,
    ///   `invalidArgument` for another page or a moment, or what the input throws.
    public func render(_ input: any RandomAccessInput, _ request: RenderRequest) throws(PluginError) -> Rendering {
        try input.checkNotEmpty("the colour profile")
        try request.checkSinglePicture(in: "the colour profile")
        return try input.withContents(limit: Self.longest) { bytes throws(PluginError) in
            let gamut = try ProfileGamut(bytes)
            var facts = Facts(title: gamut.name)
            if let name = FactName(rawValue: "colorSpace") { facts.set(name, gamut.colors) }
            if request.wantsText {
                facts.text = Facts.bounded([gamut.name, gamut.copyright].compactMap { $0 }.joined(separator: "\n"))
            }
            return Rendering(try GamutSheet.draw(gamut, box: request.box), facts: facts)
        }
    }
}

internal import PictureDecoding
internal import TextDrawing
public import VitrineKit

/// Draws contact sheets with pango: the pictures of a folder with their names and sizes, and what has none with the
/// reason. Its input is written by `vitrine prebuild --sheet FILE.png`, out of names and pictures of strangers; no file of
/// people has this type.
public final class SheetRenderer: Renderer {
    private let decoder: PictureDecoder

    /// The most bytes of a sheet's description.
    static let inputLimit: Int64 = 256 << 20

    /// Loads the fonts of several scripts.
    public init(_ environment: RendererEnvironment) throws(PluginError) {
        try DrawingLibrary.warmUp()
        decoder = PictureDecoder(maximumPixels: environment.maximumPixels)
    }

    /// Draws a sheet: as wide as its pictures need, and as long, or smaller where less is asked for. ``FactName/members`` is the
    /// number of files that are on it.
    /// - Throws: `corrupt` for what is no sheet, `empty` for no bytes, `limitExceeded`, or what the input throws.
    public func render(_ input: any RandomAccessInput, _ request: RenderRequest) throws(PluginError) -> Rendering {
        try request.checkSinglePicture(in: "the sheet")
        return try input.withContents(limit: Self.inputLimit) { (bytes) throws(PluginError) in
            let plan = SheetPlan(try SheetDescription(bytes))
            var facts = Facts()
            facts.set(.members, Double(plan.shown))
            let page = try Page(box: min(request.box, plan.box), width: plan.width, height: plan.height)
            try page.draw(plan, decoder, bytes)
            return Rendering(try page.finish(), facts: facts)
        }
    }
}

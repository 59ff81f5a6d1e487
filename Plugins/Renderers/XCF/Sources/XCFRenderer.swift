internal import PictureTraits
public import VitrineKit

/// Draws the pictures of GIMP (`.xcf`): visible layers, groups and masks, laid upon each other.
///
/// No library of Debian without a desktop's toolkit reads what GIMP writes since version 2.10, so this is Swift but for zlib.
/// The bitmap is in sRGB. Layer modes are GIMP's, but for those that ``Blending`` names. Text and vectors are in the file as
/// pixels, too; filters that GIMP 3 puts on layers without changing their pixels are not, and are left out.
public final class XCFRenderer: Renderer {
    private let profiles = ColorProfileCache()
    private let maximumPixels: Int
    private let contentLimit: Int64

    /// There is nothing to warm up.
    public init(_ environment: RendererEnvironment) throws(PluginError) {
        maximumPixels = environment.maximumPixels
        contentLimit = environment.addressSpace / 2
    }

    /// Draws the picture.
    /// - Throws: `empty`, `corrupt`, `unsupported`, `limitExceeded`, `invalidArgument` for a page that is not there; and
    ///   what reading throws.
    public func render(
        _ input: any RandomAccessInput, _ request: RenderRequest
    ) throws(PluginError) -> Rendering {
        try input.checkNotEmpty("the picture")
        return try input.withContents(limit: contentLimit) { bytes throws(PluginError) in
            try request.checkSinglePicture(in: "the picture")
            let picture = try XCFPicture(bytes, maximumPixels: maximumPixels)
            var painter = LayerPainter(picture, box: request.box)
            let plane = painter.paint()
            // Of a file that is cut off, what is there is shown.
            if painter.drawn == 0, painter.damaged > 0 { throw XCFPicture.damaged }
            let bitmap = try plane.bitmap()
            picture.profile.withUnsafeBytes { profile in
                // Numbers in proportion to light are in sRGB's code by now, and have GIMP's own profile for such numbers.
                guard !profile.isEmpty, !picture.samples.isLinear else { return }
                profiles.profile(profile, for: picture.colours == .grey ? .gray : .rgb)?.convert(bitmap)
            }
            return Rendering(bitmap, facts: Facts(size: picture.size))
        }
    }
}

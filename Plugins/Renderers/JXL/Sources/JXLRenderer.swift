internal import EXIF
internal import PictureTraits
public import VitrineKit

/// Draws JPEG XL files with libjxl, the first frame of each.
///
/// The bitmap is upright and in sRGB. Scaling is left to the worker; where an eighth, a quarter or half of the picture's
/// size is enough, only the steps of the file up to there are decoded, as far as the file comes in steps.
public final class JXLRenderer: Renderer {
    private let profiles = ColorProfileCache()
    private let maximumPixels: Int
    private let contentLimit: Int64

    /// There is nothing that libjxl loads late.
    public init(_ environment: RendererEnvironment) throws(PluginError) {
        maximumPixels = environment.maximumPixels
        contentLimit = environment.addressSpace / 4
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
            let picture = try JXLDecoder.picture(bytes, box: request.box, maximumPixels: maximumPixels)
            picture.profile.withUnsafeBytes { profile in
                guard !profile.isEmpty else { return }
                profiles.profile(profile, for: picture.isGray ? .gray : .rgb)?.convert(picture.bitmap)
            }
            var facts = Facts(size: PixelSize(width: picture.bitmap.width, height: picture.bitmap.height))
            if let block = JXLBoxes.exif(bytes) { facts.add(block, wantsPlace: request.wantsPlace) }
            return Rendering(picture.bitmap, facts: facts)
        }
    }
}

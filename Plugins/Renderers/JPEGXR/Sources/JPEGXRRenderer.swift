internal import EXIF
internal import PictureTraits
public import VitrineKit

/// Draws pictures of JPEG XR, as Windows makes them of its screen, with jxrlib: at a half, a quarter, … of their size where that is
/// enough. Those of high dynamic range are brought into the range of a screen.
public final class JPEGXRRenderer: Renderer {
    private let profiles = ColorProfileCache()
    private let maximumPixels: Int
    private let contentLimit: Int64

    /// There is nothing that jxrlib loads late.
    public init(_ environment: RendererEnvironment) throws(PluginError) {
        maximumPixels = environment.maximumPixels
        contentLimit = environment.addressSpace / 4
    }

    /// Draws the picture, which is the only page; there are no moments.
    /// - Throws: `empty`, `corrupt`, `unsupported`, `limitExceeded`, `invalidArgument` for a page that is not there; and
    ///   what reading throws.
    public func render(_ input: any RandomAccessInput, _ request: RenderRequest) throws(PluginError) -> Rendering {
        try input.checkNotEmpty("the picture")
        return try input.withContents(limit: contentLimit) { bytes throws(PluginError) in
            try request.checkSinglePicture(in: "the picture")
            let container = try JPEGXRContainer(bytes)
            let picture = try JPEGXRPicture(bytes, container, box: request.box, maximumPixels: maximumPixels)
            let stored = try Self.bitmap(picture, container)
            var facts = Facts(size: container.orientation.applied(to: picture.size))
            if let block = Self.camera(bytes) { facts.add(block, wantsPlace: request.wantsPlace) }
            var rendering = Rendering(try container.orientation.applied(to: stored), facts: facts)
            if let profile = container.profile, !picture.isLight {
                rendering.takeColors(of: profiles.profile(UnsafeRawBufferPointer(rebasing: bytes[profile]), for: .rgb))
            }
            return rendering
        }
    }

    private static func bitmap(
        _ picture: JPEGXRPicture, _ container: JPEGXRContainer
    ) throws(PluginError) -> Bitmap {
        let bitmap = try Bitmap(
            width: picture.width, height: picture.height, format: picture.hasAlpha ? .rgba : .rgbx)
        let curve = picture.isLight ? LightCurve(picture) : nil
        bitmap.withUnsafeMutableBytes { rows in
            for y in 0..<picture.height {
                for x in 0..<picture.width {
                    var colour = picture.pixel(x, y)
                    let alpha = bounded(SIMD4(repeating: colour.w)).x
                    if container.isPremultiplied, alpha > 0 { colour /= alpha }
                    let pixel: SIMD4<UInt8>
                    if let curve {
                        let light = SIMD4<UInt16>(
                            bounded(curve.shown(colour)) * Float(full), rounding: .toNearestOrEven)
                        pixel = SIMD4(
                            written[Int(light.x)], written[Int(light.y)], written[Int(light.z)],
                            UInt8(alpha * 255 + 0.5))
                    } else {
                        colour.w = alpha
                        pixel = SIMD4<UInt8>(bounded(colour) * 255, rounding: .toNearestOrEven)
                    }
                    rows.storeBytes(of: pixel, toByteOffset: y * bitmap.bytesPerRow + 4 * x, as: SIMD4<UInt8>.self)
                }
            }
        }
        return bitmap
    }

    /// Between 0 and 1, whatever stands in the file: what is no number is 0.
    @inline(__always) private static func bounded(_ values: SIMD4<Float>) -> SIMD4<Float> {
        values.replacing(with: 0, where: .!(values .> 0)).replacing(with: 1, where: values .> 1)
    }

    private static let full = 4095
    private static let written = WrittenLight.bytes(full: full)

    /// What the camera wrote: a directory of TIFF's is around the picture, which libexif reads once it has the mark of one.
    private static func camera(_ bytes: UnsafeRawBufferPointer) -> EXIFBlock? {
        let mark: [UInt8] = [0x49, 0x49, 0x2A, 0x00]
        return EXIFBlock(mark + bytes.dropFirst(4).prefix(256 << 10))
    }
}

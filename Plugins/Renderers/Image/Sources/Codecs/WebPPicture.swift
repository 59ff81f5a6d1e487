internal import CImageCodecs
internal import PictureTraits
internal import VitrineKit

/// A WebP picture, or the first frame of an animation that fills it, reduced by libwebp while it is decoded; where that
/// is empty, the first frame that shows something.
enum WebPPicture {
    /// Flags of an extended file (RFC 9649, 2.7.1).
    private static let animationFlag: UInt8 = 0x02, cameraFlag: UInt8 = 0x08, profileFlag: UInt8 = 0x20
    /// libwebp's number for a picture that was packed without a loss.
    private static let losslessFormat: CInt = 2

    /// Draws a picture.
    /// - Returns: `nil` for what is left to ImageMagick: damaged ones, and animations that begin with a part of the picture and
    ///   show nothing in their first frames.
    /// - Throws: `limitExceeded`, also for half of `maximumPixels` where it needs twice the memory, and what `check`
    ///   throws for its size.
    static func rendering(
        _ bytes: UnsafeRawBufferPointer, _ request: RenderRequest, _ profiles: ColorProfileCache, maximumPixels: Int,
        check: (PixelSize) throws(PluginError) -> Void
    ) throws(PluginError) -> Rendering? {
        let flags = bytes.count > 30 && bytes[12..<16].elementsEqual("VP8X".utf8) ? bytes[20] : 0
        guard flags & animationFlag != 0 else {
            return try rendering(bytes, of: bytes, flags, request, profiles, maximumPixels: maximumPixels, check: check)
        }
        var first: Rendering?
        if let frame = WebPChunks.firstFrame(bytes) {
            first = try frame.withUnsafeBytes { frame in
                Result { () throws(PluginError) in
                    try rendering(
                        frame, of: bytes, flags, request, profiles, maximumPixels: maximumPixels, check: check)
                }
            }.get()
        }
        if let first, first.bitmap.variety >= FrameChoice.emptiness { return first }
        let canvas = WebPAnimation.size(bytes)
        try check(canvas)
        guard let shown = try? WebPAnimation.firstShown(bytes, on: canvas, box: request.box) else { return first }
        return try rendering(shown, canvas, of: bytes, flags, request, profiles)
    }

    /// Draws what may be a frame of a file, with the flags, the profile and the camera of that.
    private static func rendering(
        _ bytes: UnsafeRawBufferPointer, of file: UnsafeRawBufferPointer, _ flags: UInt8, _ request: RenderRequest,
        _ profiles: ColorProfileCache, maximumPixels: Int, check: (PixelSize) throws(PluginError) -> Void
    ) throws(PluginError) -> Rendering? {
        let start = bytes.baseAddress?.assumingMemoryBound(to: UInt8.self)
        var config = WebPDecoderConfig()
        guard bytes.count > 30, WebPInitDecoderConfig(&config) != 0,
            WebPGetFeatures(start, bytes.count, &config.input) == VP8_STATUS_OK, config.input.has_animation == 0
        else { return nil }
        let size = PixelSize(width: Int(config.input.width), height: Int(config.input.height))
        try check(size)
        let hasAlpha = config.input.has_alpha != 0
        // Without a loss it is decoded whole, with libwebp's own copy beside it: two for one.
        guard !hasAlpha || config.input.format != losslessFormat || size.width * size.height <= maximumPixels / 2 else {
            throw PluginError(
                .limitExceeded,
                "the picture has \(size.width) × \(size.height) pixels; at most \(maximumPixels / 2) are decoded where it is lossless and transparent"
            )
        }
        // libwebp would mix the colours of pixels that nobody sees into others.
        let side = hasAlpha ? 1 : RowReducer.side(size, box: request.box)
        let bitmap = try Bitmap(
            width: (size.width + side - 1) / side, height: (size.height + side - 1) / side,
            format: hasAlpha ? .rgba : .rgbx)
        if side > 1 {
            config.options.use_scaling = 1
            config.options.scaled_width = CInt(bitmap.width)
            config.options.scaled_height = CInt(bitmap.height)
        }
        let status = bitmap.withUnsafeMutableBytes { rows in
            config.output.colorspace = MODE_RGBA
            config.output.is_external_memory = 1
            config.output.u.RGBA.rgba = rows.baseAddress?.assumingMemoryBound(to: UInt8.self)
            config.output.u.RGBA.stride = CInt(bitmap.bytesPerRow)
            config.output.u.RGBA.size = rows.count
            defer { WebPFreeDecBuffer(&config.output) }
            return WebPDecode(start, bytes.count, &config)
        }
        guard status == VP8_STATUS_OK else { return nil }
        let stored = PixelSize(width: bitmap.width, height: bitmap.height)
        let isReduced = hasAlpha && RowReducer.side(stored, box: request.box) > 1
        let reduced = isReduced ? try bitmap.reduced(box: request.box) : bitmap
        return try rendering(reduced, size, of: file, flags, request, profiles)
    }

    /// What was decoded, with the profile and the camera of the file.
    private static func rendering(
        _ reduced: Bitmap, _ size: PixelSize, of file: UnsafeRawBufferPointer, _ flags: UInt8, _ request: RenderRequest,
        _ profiles: ColorProfileCache
    ) throws(PluginError) -> Rendering {
        let camera = flags & cameraFlag != 0 ? WebPChunks.camera(file) : nil
        var rendering = try Rendering(reduced, size, camera: camera, request)
        if flags & profileFlag != 0, let profile = WebPChunks.profile(file) {
            rendering.takeColors(of: profiles.profile(profile, for: .rgb))
        }
        return rendering
    }
}

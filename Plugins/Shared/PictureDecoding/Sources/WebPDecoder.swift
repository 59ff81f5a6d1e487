internal import CPictureCodecs
internal import PictureTraits
internal import VitrineKit

/// WebP by libwebp, scaled while it is decoded.
enum WebPDecoder {
    static func picture(
        _ bytes: [UInt8], box: Int, _ limits: PictureDecoder
    ) throws(PluginError) -> DecodedPicture {
        var config = WebPDecoderConfig()
        guard WebPInitDecoderConfig(&config) != 0,
            WebPGetFeatures(bytes, bytes.count, &config.input) == VP8_STATUS_OK
        else { throw PictureDecoder.broken("WebP") }
        guard config.input.has_animation == 0 else {
            throw PluginError(.unsupported, "the WebP picture inside moves, which is not supported inside other files")
        }
        let (width, height) = (Int(config.input.width), Int(config.input.height))
        try limits.check(width, height, "WebP")
        guard
            let scaled = PixelSize.fitting(width: Double(width), height: Double(height), in: box, enlarging: false)
        else { throw PictureDecoder.broken("WebP") }
        let bitmap = try Bitmap(width: scaled.width, height: scaled.height, format: .bgraPremultiplied)
        if scaled.width != width || scaled.height != height {
            config.options.use_scaling = 1
            config.options.scaled_width = CInt(scaled.width)
            config.options.scaled_height = CInt(scaled.height)
        }
        let profile = CarriedProfile.inWebP(bytes)
        let isMultiplied = profile.isEmpty && !limits.ignoresAlpha
        let status = bitmap.withUnsafeMutableBytes { rows in
            config.output.colorspace = isMultiplied ? MODE_bgrA : MODE_BGRA
            config.output.is_external_memory = 1
            config.output.u.RGBA.rgba = rows.baseAddress?.assumingMemoryBound(to: UInt8.self)
            config.output.u.RGBA.stride = CInt(bitmap.bytesPerRow)
            config.output.u.RGBA.size = rows.count
            defer { WebPFreeDecBuffer(&config.output) }
            return WebPDecode(bytes, bytes.count, &config)
        }
        guard status == VP8_STATUS_OK else { throw PictureDecoder.broken("WebP") }
        if !isMultiplied {
            limits.convert(bitmap, profile)
            if limits.ignoresAlpha { bitmap.makeOpaque() } else { bitmap.premultiply() }
        }
        let camera = bytes.withUnsafeBytes { WebPChunks.camera($0).map(Array.init) }
        let turn = camera.flatMap { Orientation(block: $0[...]) }
        return try limits.upright(bitmap, PixelSize(width: width, height: height), turn)
    }
}

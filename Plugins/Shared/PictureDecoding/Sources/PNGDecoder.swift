internal import CPictureCodecs
internal import PictureTraits
internal import VitrineKit

/// PNG by libpng.
enum PNGDecoder {
    static func picture(_ bytes: [UInt8], _ limits: PictureDecoder) throws(PluginError) -> DecodedPicture {
        // A profile overrides what the picture says of its gamma and its primaries (PNG, Third Edition, 4.3), which libpng
        // would obey all the same.
        let profile = limits.profile(CarriedProfile.inPNG(bytes))
        let bytes = profile == nil ? bytes : withoutGamma(bytes)
        var image = png_image()
        image.version = png_uint_32(PNG_IMAGE_VERSION)
        defer { png_image_free(&image) }
        guard png_image_begin_read_from_memory(&image, bytes, bytes.count) != 0 else {
            throw PictureDecoder.broken("PNG")
        }
        try limits.check(Int(image.width), Int(image.height), "PNG")
        image.format = cpicturecodecs_png_bgra
        // libpng takes 16 bits for linear light where nothing is said of it.
        image.flags |= png_uint_32(PNG_IMAGE_FLAG_16BIT_sRGB)
        let bitmap = try Bitmap(width: Int(image.width), height: Int(image.height), format: .bgraPremultiplied)
        let done = bitmap.withUnsafeMutableBytes { rows in
            png_image_finish_read(&image, nil, rows.baseAddress, CInt(bitmap.bytesPerRow), nil)
        }
        guard done != 0 else { throw PictureDecoder.broken("PNG") }
        profile?.convert(bitmap)
        if limits.ignoresAlpha { bitmap.makeOpaque() } else { bitmap.premultiply() }
        let size = PixelSize(width: bitmap.width, height: bitmap.height)
        return try limits.upright(bitmap, size, orientation(bytes))
    }

    private static func orientation(_ bytes: [UInt8]) -> Orientation? {
        bytes.withUnsafeBytes { file in PNGChunks.camera(file).flatMap { Orientation(block: $0) } }
    }

    private static func withoutGamma(_ bytes: [UInt8]) -> [UInt8] {
        var kept: [UInt8] = []
        var copied = 0
        bytes.withUnsafeBytes { file in
            for chunk in PNGChunks(file).beforePixels where chunk.name == "gAMA" || chunk.name == "cHRM" {
                kept += file[copied..<chunk.range.lowerBound]
                copied = chunk.range.upperBound
            }
        }
        return copied == 0 ? bytes : kept + bytes[copied...]
    }
}

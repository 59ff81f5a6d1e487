internal import CPictureCodecs
internal import VitrineKit

/// PNG by libpng.
enum PNGDecoder {
    static func picture(_ bytes: [UInt8], _ limits: PictureDecoder) throws(PluginError) -> DecodedPicture {
        var image = png_image()
        image.version = png_uint_32(PNG_IMAGE_VERSION)
        defer { png_image_free(&image) }
        guard png_image_begin_read_from_memory(&image, bytes, bytes.count) != 0 else {
            throw PictureDecoder.broken("PNG")
        }
        try limits.check(Int(image.width), Int(image.height), "PNG")
        image.format = cpicture_png_bgra
        let bitmap = try Bitmap(width: Int(image.width), height: Int(image.height), format: .bgraPremultiplied)
        let done = bitmap.withUnsafeMutableBytes { rows in
            png_image_finish_read(&image, nil, rows.baseAddress, CInt(bitmap.bytesPerRow), nil)
        }
        guard done != 0 else { throw PictureDecoder.broken("PNG") }
        limits.convert(bitmap, CarriedProfile.inPNG(bytes))
        bitmap.premultiply()
        return DecodedPicture(bitmap: bitmap, size: PixelSize(width: bitmap.width, height: bitmap.height))
    }
}

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
        premultiply(bitmap)
        return DecodedPicture(bitmap: bitmap, size: PixelSize(width: bitmap.width, height: bitmap.height))
    }

    private static func premultiply(_ bitmap: Bitmap) {
        bitmap.withUnsafeMutableBytes { bytes in
            for y in 0..<bitmap.height {
                for at in stride(from: y * bitmap.bytesPerRow, to: y * bitmap.bytesPerRow + bitmap.width * 4, by: 4) {
                    let alpha = Int(bytes[at + 3])
                    if alpha == 0xFF { continue }
                    for channel in at..<(at + 3) { bytes[channel] = UInt8((Int(bytes[channel]) * alpha + 127) / 255) }
                }
            }
        }
    }
}

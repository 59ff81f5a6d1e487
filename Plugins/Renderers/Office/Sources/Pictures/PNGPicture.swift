internal import COffice
internal import VitrineKit

/// Decodes small PNG files with libpng.
enum PNGPicture {
    /// Pixels of a side at most.
    private static let largestSide: UInt32 = 4096

    /// Decodes a picture.
    /// - Returns: `nil` for what is no PNG and what is damaged.
    /// - Throws: `limitExceeded` when there is no memory for it.
    static func bitmap(_ bytes: [UInt8]) throws(PluginError) -> Bitmap? {
        var image = png_image()
        image.version = png_uint_32(PNG_IMAGE_VERSION)
        defer { png_image_free(&image) }
        guard png_image_begin_read_from_memory(&image, bytes, bytes.count) != 0,
            1...largestSide ~= image.width, 1...largestSide ~= image.height
        else { return nil }
        image.format = coffice_png_rgba
        let bitmap = try Bitmap(width: Int(image.width), height: Int(image.height), format: .rgba)
        let done = bitmap.withUnsafeMutableBytes { rows in
            png_image_finish_read(&image, nil, rows.baseAddress, CInt(bitmap.bytesPerRow), nil)
        }
        return done != 0 ? bitmap : nil
    }
}

internal import COffice
internal import VitrineKit

/// Decodes small JPEG files with libjpeg-turbo.
enum JPEGPicture {
    /// Pixels of a side at most.
    private static let largestSide = 4096

    /// Decodes a picture, made smaller by one of libjpeg's own factors when it stays at least as large as the box.
    /// - Returns: `nil` for what is no JPEG, what is damaged, and what libjpeg cannot turn into red, green and blue.
    /// - Throws: `limitExceeded` when there is no memory for it.
    static func bitmap(_ bytes: [UInt8], box: Int) throws(PluginError) -> Bitmap? {
        guard bytes.starts(with: [0xFF, 0xD8, 0xFF]), let decoder = tjInitDecompress() else { return nil }
        defer { tjDestroy(decoder) }
        var width: CInt = 0
        var height: CInt = 0
        var sampling: CInt = 0
        var colors: CInt = 0
        let count = CUnsignedLong(bytes.count)
        guard tjDecompressHeader3(decoder, bytes, count, &width, &height, &sampling, &colors) == 0,
            1...largestSide ~= Int(width), 1...largestSide ~= Int(height)
        else { return nil }
        var scale: CInt = 1
        while scale < 8, Int(max(width, height)) / Int(scale * 2) >= box { scale *= 2 }
        // As libjpeg rounds.
        let scaled = PixelSize(width: Int((width + scale - 1) / scale), height: Int((height + scale - 1) / scale))
        let bitmap = try Bitmap(width: scaled.width, height: scaled.height, format: .bgrx)
        let done = bitmap.withUnsafeMutableBytes { rows in
            tjDecompress2(
                decoder, bytes, count, rows.baseAddress?.assumingMemoryBound(to: UInt8.self), CInt(scaled.width),
                CInt(bitmap.bytesPerRow), CInt(scaled.height), CInt(TJPF_BGRX.rawValue), CInt(TJFLAG_LIMITSCANS))
        }
        return done == 0 ? bitmap : nil
    }
}

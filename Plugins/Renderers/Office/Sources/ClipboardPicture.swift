internal import CompoundFiles
internal import VitrineKit

/// The thumbnail among the properties of a compound file, as it would lie on the clipboard ([MS-OLEPS] 2.12): a bitmap
/// without its file's header (BITMAPINFOHEADER, [MS-WMF] 2.2.2.3), with 24 bits a pixel and not compressed, which is what
/// office programs wrote there. Metafiles, which are drawing commands, are left alone.
enum ClipboardPicture {
    /// Pixels of a side at most.
    private static let largestSide = 4096
    /// Clipboard format `CF_DIB`.
    private static let bitmapFormat = 8

    /// Decodes the value of a property.
    /// - Parameter value: behind the property's type: a tag, a format, the data.
    /// - Returns: `nil` for what is no such bitmap, or cut off.
    /// - Throws: `limitExceeded` when there is no memory for it.
    static func bitmap(_ value: [UInt8]) throws(PluginError) -> Bitmap? {
        let head = 8
        // -1: one of Windows' own formats.
        guard value.uint32(at: 0) == 0xFFFF_FFFF, value.uint32(at: 4) == bitmapFormat,
            value.uint32(at: head) == 40, let width = value.uint32(at: head + 4),
            let lines = value.uint32(at: head + 8),
            value.uint16(at: head + 14) == 24, value.uint32(at: head + 16) == 0
        else { return nil }
        // Rows are upward, unless the height is negative.
        let isDownward = lines >= 1 << 31
        let height = isDownward ? (1 << 32) - lines : lines
        guard 1...largestSide ~= width, 1...largestSide ~= height else { return nil }
        let row = (width * 3 + 3) & ~3
        let start = head + 40
        guard start + row * height <= value.count else { return nil }
        let bitmap = try Bitmap(width: width, height: height, format: .bgrx)
        bitmap.withUnsafeMutableBytes { target in
            for y in 0..<height {
                var from = start + row * (isDownward ? y : height - 1 - y)
                for to in stride(from: y * bitmap.bytesPerRow, to: y * bitmap.bytesPerRow + width * 4, by: 4) {
                    for channel in 0..<3 { target[to + channel] = value[from + channel] }
                    target[to + 3] = 0xFF
                    from += 3
                }
            }
        }
        return bitmap
    }
}

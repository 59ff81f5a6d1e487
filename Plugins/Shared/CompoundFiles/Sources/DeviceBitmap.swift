package import VitrineKit

/// A bitmap of Windows without its file's header (BITMAPINFOHEADER, [MS-WMF] 2.2.2.3): with 24 bits a pixel, or 8 and a
/// palette, and not compressed, which is what office programs write.
package enum DeviceBitmap {
    /// Pixels of a side at most.
    private static let largestSide = 4096

    /// Decodes a bitmap.
    /// - Parameters:
    ///   - bytes: what it lies in.
    ///   - head: where its header begins.
    /// - Returns: `nil` for what is no such bitmap, or cut off.
    /// - Throws: `limitExceeded` when there is no memory for it.
    package static func bitmap(_ bytes: [UInt8], at head: Int) throws(PluginError) -> Bitmap? {
        guard bytes.uint32(at: head) == 40, let width = bytes.uint32(at: head + 4),
            let lines = bytes.uint32(at: head + 8), let bits = bytes.uint16(at: head + 14), bits == 24 || bits == 8,
            bytes.uint32(at: head + 16) == 0, let used = bytes.uint32(at: head + 32)
        else { return nil }
        // Rows are upward, unless the height is negative.
        let isDownward = lines >= 1 << 31
        let height = isDownward ? (1 << 32) - lines : lines
        let colours = bits == 24 ? 0 : used == 0 ? 256 : used
        guard 1...largestSide ~= width, 1...largestSide ~= height, colours <= 256 else { return nil }
        let row = (width * bits + 31) / 32 * 4
        let palette = head + 40
        let start = palette + colours * 4
        guard start + row * height <= bytes.count else { return nil }
        let bitmap = try Bitmap(width: width, height: height, format: .bgrx)
        bitmap.withUnsafeMutableBytes { target in
            for y in 0..<height {
                let line = start + row * (isDownward ? y : height - 1 - y)
                for x in 0..<width {
                    let to = y * bitmap.bytesPerRow + x * 4
                    // A number beyond the palette is black.
                    let from = bits == 24 ? line + x * 3 : palette + Int(bytes[line + x]) * 4
                    let isThere = bits == 24 || Int(bytes[line + x]) < colours
                    for channel in 0..<3 { target[to + channel] = isThere ? bytes[from + channel] : 0 }
                    target[to + 3] = 0xFF
                }
            }
        }
        return bitmap
    }

    /// Whether a header is sound, and says of the bitmap what ``bitmap(_:at:)`` does not decode.
    package static func isRare(_ bytes: [UInt8], at head: Int) -> Bool {
        // From the first version of Windows (BITMAPCOREHEADER) to the fifth of this header.
        guard let size = bytes.uint32(at: head), [12, 40, 52, 56, 64, 108, 124].contains(size),
            let bits = bytes.uint16(at: head + (size == 12 ? 10 : 14)), [1, 2, 4, 8, 16, 24, 32].contains(bits)
        else { return false }
        guard size == 40, bits == 24 || bits == 8, bytes.uint32(at: head + 16) == 0 else { return true }
        let sides = [4, 8].compactMap { bytes.uint32(at: head + $0) }
        return sides.contains { $0 > largestSide && $0 <= 1 << 31 - largestSide }
    }
}

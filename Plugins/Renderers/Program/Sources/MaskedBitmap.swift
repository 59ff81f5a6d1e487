internal import CompoundFiles
internal import VitrineKit

/// A picture in an icon of Windows: a bitmap without its file's header (Microsoft, `BITMAPINFOHEADER`), and behind it a mask
/// of one bit for each pixel, which is set where the icon is transparent. The height is that of both.
struct MaskedBitmap {
    private let bytes: [UInt8]
    private let width: Int, height: Int
    /// Bits of a pixel.
    private let depth: Int
    /// Where the colours of the palette, the pixels and the mask begin.
    private let palette: Int, pixels: Int, mask: Int
    /// Bytes of a row of pixels, and of the mask; both are filled up to four.
    private let stride: Int, maskStride: Int

    /// Bytes of the header in its oldest form, in which later ones begin.
    private static let shortHeader = 40
    /// Pixels at most, whatever the renderer may decode: icons have a few hundred across.
    private static let mostPixels = 4 << 20

    /// Reads the header.
    /// - Throws: `corrupt` when it makes no sense or pixels are missing, `unsupported` for rare forms, `limitExceeded` when
    ///   there are too many pixels.
    init(_ bytes: [UInt8], _ maximumPixels: Int) throws(PluginError) {
        guard let header = bytes.uint32(at: 0), let width = bytes.uint32(at: 4), let both = bytes.uint32(at: 8),
            let depth = bytes.uint16(at: 14), let packing = bytes.uint32(at: 16), let used = bytes.uint32(at: 32)
        else { throw Self.broken }
        guard header >= Self.shortHeader, header <= 124, packing == 0, Self.depths.contains(depth) else {
            throw PluginError(.unsupported, "the program's icon is of a rare kind, and is not decoded")
        }
        let height = both / 2
        guard 1...Bitmap.maximumSide ~= width, 1...Bitmap.maximumSide ~= height else { throw Self.broken }
        let most = min(maximumPixels, Self.mostPixels)
        guard width * height <= most else {
            throw PluginError(
                .limitExceeded, "the program's icon has \(width) × \(height) pixels; at most \(most) are decoded")
        }
        let colours = depth > 8 ? 0 : used == 0 ? 1 << depth : used
        guard colours <= 256 else { throw Self.broken }
        (self.bytes, self.width, self.height, self.depth) = (bytes, width, height, depth)
        (stride, maskStride) = ((width * depth + 31) / 32 * 4, (width + 31) / 32 * 4)
        palette = header
        pixels = header + colours * 4
        mask = pixels + stride * height
        guard mask <= bytes.count else { throw Self.broken }
    }

    private static let depths: Set = [1, 4, 8, 16, 24, 32]
    private static let broken = PluginError(
        .corrupt, "the program's icon is damaged, or cut off; fetch the program again")

    /// Decodes it. Where pixels have alpha of their own, the mask says no more.
    /// - Throws: `limitExceeded` when there is no memory for it.
    func drawn() throws(PluginError) -> Bitmap {
        let hasAlpha = depth == 32 && Swift.stride(from: pixels + 3, to: mask, by: 4).contains { bytes[$0] != 0 }
        let bitmap = try Bitmap(width: width, height: height, format: .rgba)
        bitmap.withUnsafeMutableBytes { target in
            for y in 0..<height {
                // The lowest row comes first.
                let row = height - 1 - y
                for x in 0..<width {
                    var pixel = pixel(x, row)
                    if !hasAlpha { pixel.w = isMasked(x, row) ? 0 : 255 }
                    target.storeBytes(of: pixel, toByteOffset: y * bitmap.bytesPerRow + x * 4, as: SIMD4<UInt8>.self)
                }
            }
        }
        return bitmap
    }

    private func pixel(_ x: Int, _ row: Int) -> SIMD4<UInt8> {
        let line = pixels + row * stride
        switch depth {
        case 24, 32:
            // Blue comes first.
            let at = line + depth / 8 * x
            return SIMD4(bytes[at + 2], bytes[at + 1], bytes[at], depth == 32 ? bytes[at + 3] : 255)
        case 16:
            let value = Int(bytes[line + 2 * x]) | Int(bytes[line + 2 * x + 1]) << 8
            func widened(_ shift: Int) -> UInt8 { UInt8((value >> shift & 31) * 255 / 31) }
            return SIMD4(widened(10), widened(5), widened(0), 255)
        default:
            // From the highest bits to the lowest.
            let bit = x * depth
            let index = Int(bytes[line + bit / 8]) >> (8 - depth - bit % 8) & (1 << depth - 1)
            let colour = palette + 4 * index
            // A number beyond the palette is black.
            guard colour + 4 <= pixels else { return SIMD4(0, 0, 0, 255) }
            return SIMD4(bytes[colour + 2], bytes[colour + 1], bytes[colour], 255)
        }
    }

    /// A mask that is cut off hides nothing.
    private func isMasked(_ x: Int, _ row: Int) -> Bool {
        let at = mask + row * maskStride + x / 8
        return at < bytes.count && bytes[at] >> (7 - x % 8) & 1 == 1
    }
}

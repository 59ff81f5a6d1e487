internal import VitrineKit

/// Bitmaps of Windows of the kinds that ImageMagick does not read (Microsoft, "BITMAPINFOHEADER" and "BITMAPV5HEADER"): whole
/// JPEG and PNG files, masks with alpha as Windows CE has them, and pixels of two bits.
struct BMPPicture {
    /// What `biCompression` says.
    private enum Packing: Int {
        case none = 0, jpeg = 4, png, masksWithAlpha
    }

    private static let fileHead = 14, shortHead = 40
    private let bytes: UnsafeRawBufferPointer
    private let packing: Packing
    /// Bytes of the head behind that of the file, bits of a pixel, and where pixels begin.
    private let head: Int, depth: Int, start: Int

    /// - Returns: `nil` for a file that says nothing that is known, which is left to ImageMagick.
    init?(_ bytes: UnsafeRawBufferPointer) {
        guard bytes.count >= Self.fileHead + Self.shortHead, bytes.number(14) >= Self.shortHead,
            let packing = Packing(rawValue: bytes.number(30))
        else { return nil }
        (self.bytes, self.packing) = (bytes, packing)
        (head, start) = (bytes.number(14), bytes.number(10))
        depth = bytes.number(28) & 0xFFFF
    }

    /// The picture that is a file of its own, and its format.
    var file: (bytes: UnsafeRawBufferPointer, format: ImageFormat)? {
        guard packing == .jpeg || packing == .png, start < bytes.count else { return nil }
        return (UnsafeRawBufferPointer(rebasing: bytes[start...]), packing == .jpeg ? .jpeg : .png)
    }

    /// Draws pixels.
    /// - Returns: `nil` for what is left to ImageMagick.
    /// - Throws: `corrupt` when pixels are missing, `limitExceeded`, and what `check` throws for its size.
    func rendering(box: Int, check: (PixelSize) throws(PluginError) -> Void) throws(PluginError) -> Rendering? {
        let width = Int(Int32(truncatingIfNeeded: bytes.number(18))),
            height = Int(Int32(truncatingIfNeeded: bytes.number(22)))
        guard width > 0, height != 0, let palette = palette() else { return nil }
        let size = PixelSize(width: width, height: abs(height))
        try check(size)
        // Rows are filled up to four bytes.
        let step = (size.width * depth + 31) / 32 * 4
        guard start <= bytes.count, step * size.height <= bytes.count - start else {
            throw PluginError(.corrupt, "the picture is damaged: it has fewer pixels than it says")
        }
        var rows = try RowReducer(size, box: box, hasAlpha: palette.hasAlpha)
        for y in 0..<size.height {
            // The lowest row comes first, unless the height is below zero.
            let line = start + (height > 0 ? size.height - 1 - y : y) * step
            let row = UnsafeRawBufferPointer(rebasing: bytes[line..<line + step])
            _ = rows.next { target in
                palette.read(size.width, of: row, into: target)
                return true
            }
        }
        return Rendering(rows.bitmap, facts: Facts(size: size))
    }

    /// What pixels mean.
    private enum Palette {
        case masks(Texel)
        /// Four colours.
        case colours([SIMD4<UInt8>])

        var hasAlpha: Bool { if case .masks(let texel) = self { texel.hasAlpha } else { false } }

        func read(_ count: Int, of line: UnsafeRawBufferPointer, into row: UnsafeMutableRawPointer) {
            switch self {
            case .masks(let texel): texel.read(count, of: line, into: row)
            case .colours(let colours):
                for x in 0..<count {
                    let index = Int(line[x / 4] >> (6 - 2 * UInt8(x % 4)) & 3)
                    row.storeBytes(of: colours[index], toByteOffset: 4 * x, as: SIMD4<UInt8>.self)
                }
            }
        }
    }

    private func palette() -> Palette? {
        let behind = Self.fileHead + Self.shortHead
        switch (packing, depth) {
        case (.masksWithAlpha, 16), (.masksWithAlpha, 32):
            guard bytes.count >= behind + 16 else { return nil }
            let masks = (0..<4).map { UInt32(bytes.number(behind + 4 * $0)) }
            return .masks(.bits(depth / 8, masks))
        case (.none, 2):
            let count = bytes.number(46) == 0 ? 4 : min(4, bytes.number(46))
            let first = Self.fileHead + head
            guard first <= bytes.count, count * 4 <= bytes.count - first else { return nil }
            var colours = [SIMD4<UInt8>](repeating: SIMD4(0, 0, 0, 255), count: 4)
            for index in 0..<count {
                let at = first + 4 * index
                colours[index] = SIMD4(bytes[at + 2], bytes[at + 1], bytes[at], 255)
            }
            return .colours(colours)
        default: return nil
        }
    }
}

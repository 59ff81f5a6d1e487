internal import BinaryNumbers
internal import VitrineKit

/// Truevision TGA pictures of greys with alpha (image types 3 and 11 with pixels of 16 bits), which ImageMagick takes for
/// colours of 5 bits.
enum TargaGreys {
    /// Bytes of a header.
    private static let headLength = 18

    /// Draws a picture.
    /// - Returns: `nil` for all others, which are left to ImageMagick.
    /// - Throws: `corrupt` when pixels are missing, `limitExceeded`, and what `check` throws for its size.
    static func rendering(
        _ bytes: UnsafeRawBufferPointer, box: Int, check: (PixelSize) throws(PluginError) -> Void
    ) throws(PluginError) -> Rendering? {
        guard bytes.count > headLength, [3, 11].contains(bytes[2]), bytes[16] == 16, bytes[17] & 15 == 8 else {
            return nil
        }
        func number(_ at: Int) -> Int { Int(bytes.number(UInt16.self, at: at)) }
        let size = PixelSize(width: number(12), height: number(14))
        guard size.width > 0, size.height > 0 else { return nil }
        try check(size)
        // A colour map may be there without a use.
        let map = bytes[1] == 0 ? 0 : number(5) * ((Int(bytes[7]) + 7) / 8)
        let pixels = Pixels(bytes, at: headLength + Int(bytes[0]) + map, isPacked: bytes[2] == 11)
        var bitmap = try bitmap(pixels, size, box: box, hasAlpha: true)
        // Writers leave a second channel empty that they do not use.
        if bitmap.showsNothing { bitmap = try self.bitmap(pixels, size, box: box, hasAlpha: false) }
        // Rows begin at the bottom unless bit 5 is set, pixels at the right if bit 4 is.
        let orientation = Orientation(mirrorsColumns: bytes[17] & 0x10 != 0, mirrorsRows: bytes[17] & 0x20 == 0)
        return Rendering(try orientation.applied(to: bitmap), facts: Facts(size: size))
    }

    private static func bitmap(
        _ pixels: Pixels, _ size: PixelSize, box: Int, hasAlpha: Bool
    ) throws(PluginError) -> Bitmap {
        var pixels = pixels
        var rows = try RowReducer(size, box: box, hasAlpha: hasAlpha)
        for _ in 0..<size.height {
            guard rows.next({ pixels.read(size.width, into: $0) }) else {
                throw PluginError(.corrupt, "the picture is damaged: it has fewer pixels than it says")
            }
        }
        return rows.bitmap
    }

    /// Pixels one after the other; packets of type 11 may go on in the next row.
    private struct Pixels {
        private let bytes: UnsafeRawBufferPointer
        private var at: Int
        private let isPacked: Bool
        /// Pixels that are left of the packet, and whether they are all the same.
        private var left = 0
        private var isRun = false

        init(_ bytes: UnsafeRawBufferPointer, at start: Int, isPacked: Bool) {
            self.bytes = bytes
            at = start
            self.isPacked = isPacked
        }

        /// Writes R, G, B and alpha of the next pixels.
        /// - Returns: whether there were as many.
        mutating func read(_ count: Int, into row: UnsafeMutableRawPointer) -> Bool {
            for x in 0..<count {
                if isPacked, left == 0 {
                    guard at < bytes.count else { return false }
                    left = Int(bytes[at] & 127) + 1
                    isRun = bytes[at] > 127
                    at += 1
                }
                guard at + 2 <= bytes.count else { return false }
                let (grey, alpha) = (bytes[at], bytes[at + 1])
                row.storeBytes(of: SIMD4(grey, grey, grey, alpha), toByteOffset: 4 * x, as: SIMD4<UInt8>.self)
                if isPacked { left -= 1 }
                if !isPacked || !isRun || left == 0 { at += 2 }
            }
            return true
        }
    }
}

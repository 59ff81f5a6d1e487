internal import BinaryNumbers
internal import VitrineKit

/// A farbfeld picture (its manual, farbfeld(5)): red, green, blue and alpha of 16 bits each, the highest byte first.
enum FarbfeldPicture {
    private static let headLength = 16, pixelLength = 8

    /// Draws a picture.
    /// - Throws: `corrupt` when pixels are missing, `empty` when it has none, `limitExceeded`, and what `check` throws for its
    ///   size.
    static func rendering(
        _ bytes: UnsafeRawBufferPointer, box: Int, check: (PixelSize) throws(PluginError) -> Void
    ) throws(PluginError) -> Rendering {
        func number(_ at: Int) -> Int { Int(bytes.number(UInt32.self, at: at, isBigEndian: true)) }
        let short = PluginError(.corrupt, "the picture is damaged: it has fewer pixels than it says")
        guard bytes.count >= headLength else { throw short }
        let size = PixelSize(width: number(8), height: number(12))
        guard size.width > 0, size.height > 0 else {
            throw PluginError(.empty, "the picture says that it has no pixels")
        }
        try check(size)
        guard size.width * size.height <= (bytes.count - headLength) / pixelLength else { throw short }
        var rows = try RowReducer(size, box: box, hasAlpha: true)
        for y in 0..<size.height {
            _ = rows.next { row in
                let start = headLength + y * size.width * pixelLength
                let target = UnsafeMutableRawBufferPointer(start: row, count: size.width * 4)
                // The bytes that count most, rounded by those behind them.
                for at in 0..<target.count {
                    let value = Int(bytes[start + 2 * at]) << 8 | Int(bytes[start + 2 * at + 1])
                    target[at] = UInt8((value + 128) / 257)
                }
                return true
            }
        }
        return Rendering(rows.bitmap, facts: Facts(size: size))
    }
}

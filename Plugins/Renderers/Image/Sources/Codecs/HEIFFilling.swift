internal import VitrineKit

/// Where a picture lies in what was decoded. Encoders of HEVC fill pictures up to whole blocks, on the right and below, and some
/// cameras say only beside the stream how much of it is to be seen (ISO/IEC 23008-12, 6.5.3: `ispe`).
struct HEIFFilling: Equatable {
    /// The first column and row that belong to the picture.
    var x: Int, y: Int
    /// The picture's own sides.
    var size: PixelSize

    /// Sides of the largest block (ITU-T H.265, 6.3).
    private static let block = 64

    /// - Parameters:
    ///   - decoded: the sides of what came, turned already.
    ///   - said: those that the file gives, not turned.
    ///   - turns: quarters of a turn, against the clock.
    /// - Returns: `nil` when nothing is filled up, or the difference is not that.
    init?(_ decoded: PixelSize, said: PixelSize, turns: Int) {
        let isSide = turns % 2 != 0
        size = isSide ? PixelSize(width: said.height, height: said.width) : said
        let (wide, high) = (decoded.width - size.width, decoded.height - size.height)
        guard 0..<Self.block ~= wide, 0..<Self.block ~= high, wide > 0 || high > 0, size.width > 0, size.height > 0
        else {
            return nil
        }
        // Turned by one quarter, what was on the right lies above; by three, what was below lies on the left.
        x = turns == 2 || turns == 3 ? wide : 0
        y = turns == 1 || turns == 2 ? high : 0
    }
}

extension Bitmap {
    /// Its sides.
    var size: PixelSize { PixelSize(width: width, height: height) }

    /// The picture without what it was filled up with. To be called for pixels of four bytes.
    func without(_ filling: HEIFFilling) throws(PluginError) -> Bitmap {
        let part = try Bitmap(width: filling.size.width, height: filling.size.height, format: format)
        withUnsafeMutableBytes { from in
            part.withUnsafeMutableBytes { to in
                for y in 0..<part.height {
                    let start = (filling.y + y) * bytesPerRow + filling.x * 4
                    let row = UnsafeRawBufferPointer(rebasing: from[start..<start + part.width * 4])
                    UnsafeMutableRawBufferPointer(rebasing: to[(y * part.bytesPerRow)...]).copyMemory(from: row)
                }
            }
        }
        return part
    }
}

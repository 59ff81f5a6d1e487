internal import VitrineKit

/// The picture, or a layer of it, at the size in which it is put together: colours not multiplied by alpha, as sRGB codes
/// them.
///
/// A cell stands for a square of so many pixels of the file: pixels are averaged before layers are laid upon each other.
/// What a preview shows of that is the same, and layers need memory for the preview's pixels alone.
struct Plane {
    /// Its upper left cell, in those of the picture.
    let x: Int, y: Int
    /// Red, green, blue and alpha, each 0 to 1.
    var cells: [SIMD4<Float>]
    let width: Int
    let height: Int

    /// Nothing, seen through.
    init(columns: Range<Int>, rows: Range<Int>) {
        (x, y, width, height) = (columns.lowerBound, rows.lowerBound, columns.count, rows.count)
        cells = Array(repeating: .zero, count: width * height)
    }

    /// How many pixels of the file a cell stands for, across and down: the longest side of the plane is once and a half to
    /// three times what is wanted, or the picture's own. Where many planes are needed at once, it may be less.
    /// - Parameters:
    ///   - box: the longest side wanted, in pixels.
    ///   - planes: how many there are at once.
    static func step(of size: PixelSize, box: Int, planes: Int) -> Int {
        var step = max(1, 2 * max(size.width, size.height) / (3 * max(1, box)))
        while (size.width / step + 1) * (size.height / step + 1) > mostCells / planes { step += 1 }
        return step
    }

    /// In all planes that there are at once: 1 GiB.
    private static let mostCells = (1 << 30) / MemoryLayout<SIMD4<Float>>.size

    func bitmap() throws(PluginError) -> Bitmap {
        let bitmap = try Bitmap(width: width, height: height, format: .rgba)
        bitmap.withUnsafeMutableBytes { rows in
            for y in 0..<height {
                for x in 0..<width {
                    let cell = (cells[y * width + x] * 255 + 0.5).clamped(
                        lowerBound: .zero, upperBound: .init(repeating: 255))
                    let at = y * bitmap.bytesPerRow + 4 * x
                    for channel in 0..<4 { rows[at + channel] = UInt8(cell[channel]) }
                }
            }
        }
        return bitmap
    }
}

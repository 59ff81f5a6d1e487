internal import VitrineKit

/// The picture, or a layer of it, at the size in which it is put together: colours not multiplied by alpha, as sRGB codes
/// them.
///
/// A cell stands for a square of so many pixels of the file: pixels are averaged before layers are laid upon each other.
/// What a preview shows of that is the same, and layers need little memory.
struct Plane {
    /// Red, green, blue and alpha, each 0 to 1.
    var cells: [SIMD4<Float>]
    let width: Int
    let height: Int

    /// Nothing, seen through.
    init(width: Int, height: Int) {
        (self.width, self.height) = (width, height)
        cells = Array(repeating: .zero, count: width * height)
    }

    /// - Parameters:
    ///   - box: the longest side wanted; that of the plane is half as large again, or the picture's own.
    init(of size: PixelSize, box: Int) {
        let step = Plane.step(of: size, box: box)
        self.init(width: (size.width + step - 1) / step, height: (size.height + step - 1) / step)
    }

    /// How many pixels of the file a cell stands for, across and down.
    static func step(of size: PixelSize, box: Int) -> Int {
        max(1, 2 * max(size.width, size.height) / (3 * max(1, box)))
    }

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

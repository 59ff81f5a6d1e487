public import VitrineKit

/// A small picture in memory as tests look at it: 8 bits a channel, sRGB, colours not multiplied by alpha.
public struct RGBAPicture: Hashable, Sendable {
    /// Pixels across.
    public let width: Int
    /// Pixels down.
    public let height: Int
    /// R, G, B, A of each pixel, row by row from the top left, without padding.
    public let pixels: [UInt8]

    /// Takes pixels.
    /// - Parameters:
    ///   - width: pixels across, above zero.
    ///   - height: pixels down, above zero.
    ///   - pixels: R, G, B, A of each pixel.
    /// - Returns: `nil` when the number of bytes is not width × height × 4, or a side is not above zero.
    public init?(width: Int, height: Int, pixels: [UInt8]) {
        guard width > 0, height > 0, width <= Bitmap.maximumSide, height <= Bitmap.maximumSide,
            pixels.count == width * height * 4
        else { return nil }
        self.width = width
        self.height = height
        self.pixels = pixels
    }

    /// Copies what a renderer drew, in sRGB.
    public init(_ rendering: Rendering) {
        let drawn = Self(rendering.bitmap)
        var pixels = drawn.pixels
        if let convert = rendering.convertColors { pixels.withUnsafeMutableBytes { convert($0) } }
        (width, height, self.pixels) = (drawn.width, drawn.height, pixels)
    }

    /// Copies pixels.
    /// - Parameter bitmap: of any format; opaque formats get an alpha of 255.
    public init(_ bitmap: Bitmap) {
        let width = bitmap.width, height = bitmap.height, stride = bitmap.bytesPerRow, format = bitmap.format
        var pixels: [UInt8] = []
        pixels.reserveCapacity(width * height * 4)
        bitmap.withUnsafeMutableBytes { bytes in
            for y in 0..<height {
                for x in 0..<width {
                    let at = y * stride + x * 4
                    let pixel = (bytes[at], bytes[at + 1], bytes[at + 2], bytes[at + 3])
                    switch format {
                    case .rgba: pixels += [pixel.0, pixel.1, pixel.2, pixel.3]
                    case .rgbx: pixels += [pixel.0, pixel.1, pixel.2, 255]
                    case .bgrx: pixels += [pixel.2, pixel.1, pixel.0, 255]
                    case .bgraPremultiplied:
                        pixels += [pixel.2, pixel.1, pixel.0].map { Self.divided($0, by: pixel.3) } + [pixel.3]
                    @unknown default: pixels += [0, 0, 0, 0]
                    }
                }
            }
        }
        self.width = width
        self.height = height
        self.pixels = pixels
    }

    private static func divided(_ value: UInt8, by alpha: UInt8) -> UInt8 {
        alpha == 0 ? 0 : UInt8(min(255, (Int(value) * 255 + Int(alpha) / 2) / Int(alpha)))
    }

    /// The channels of one pixel.
    /// - Parameters:
    ///   - x: column from the left, inside of the picture.
    ///   - y: row from the top, inside of the picture.
    public func pixel(x: Int, y: Int) -> (red: UInt8, green: UInt8, blue: UInt8, alpha: UInt8) {
        let at = (y * width + x) * 4
        return (pixels[at], pixels[at + 1], pixels[at + 2], pixels[at + 3])
    }

    /// The average colour of a part of the picture, laid on white.
    /// - Parameters:
    ///   - columns: shares of the width, 0 at the left and 1 at the right. At least one column is taken.
    ///   - rows: shares of the height, 0 at the top and 1 at the bottom. At least one row is taken.
    public func average(columns: ClosedRange<Double>, rows: ClosedRange<Double>) -> OklabColor {
        let xs = Self.indices(columns, of: width), ys = Self.indices(rows, of: height)
        var sums = (0, 0, 0)
        for y in ys {
            for x in xs {
                let (red, green, blue, alpha) = pixel(x: x, y: y)
                let white = 255 * (255 - Int(alpha))
                sums.0 += Int(red) * Int(alpha) + white
                sums.1 += Int(green) * Int(alpha) + white
                sums.2 += Int(blue) * Int(alpha) + white
            }
        }
        let whole = Double(255 * 255 * xs.count * ys.count)
        return OklabColor(red: Double(sums.0) / whole, green: Double(sums.1) / whole, blue: Double(sums.2) / whole)
    }

    private static func indices(_ share: ClosedRange<Double>, of count: Int) -> Range<Int> {
        let first = min(count - 1, max(0, Int((share.lowerBound * Double(count)).rounded(.down))))
        let end = min(count, max(first + 1, Int((share.upperBound * Double(count)).rounded(.up))))
        return first..<end
    }
}

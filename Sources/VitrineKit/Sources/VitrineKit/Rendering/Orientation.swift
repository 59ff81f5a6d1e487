/// How a stored picture has to be turned to stand upright: one of the eight ways that map a rectangle onto itself or onto
/// its transpose.
public struct Orientation: Hashable, Sendable {
    /// Rows become columns. Applied last, after the mirrors.
    public var swapsAxes: Bool
    /// Left and right of the stored picture change places.
    public var mirrorsColumns: Bool
    /// Top and bottom of the stored picture change places.
    public var mirrorsRows: Bool

    /// As stored.
    public static let upright = Orientation()

    /// Creates one of its parts. Default: as stored.
    public init(swapsAxes: Bool = false, mirrorsColumns: Bool = false, mirrorsRows: Bool = false) {
        self.swapsAxes = swapsAxes
        self.mirrorsColumns = mirrorsColumns
        self.mirrorsRows = mirrorsRows
    }

    /// Reads what cameras write: which edges of the scene the first row and the first column are (Exif 2.32, tag 0x0112;
    /// TIFF 6.0, tag 274).
    /// - Parameter value: 1 to 8; all else means as stored.
    public init(exif value: Int) {
        self.init(
            swapsAxes: 5...8 ~= value, mirrorsColumns: [2, 3, 7, 8].contains(value),
            mirrorsRows: [3, 4, 6, 7].contains(value))
    }

    /// The size that the turned picture has.
    public func applied(to size: PixelSize) -> PixelSize {
        swapsAxes ? PixelSize(width: size.height, height: size.width) : size
    }

    /// Turns a bitmap.
    /// - Returns: the same bitmap when there is nothing to do.
    /// - Throws: `limitExceeded` when there is no memory for another one.
    public func applied(to bitmap: Bitmap) throws(PluginError) -> Bitmap {
        if self == .upright { return bitmap }
        let size = applied(to: PixelSize(width: bitmap.width, height: bitmap.height))
        let turned = try Bitmap(width: size.width, height: size.height, format: bitmap.format)
        bitmap.withUnsafeMutableBytes { stored in
            turned.withUnsafeMutableBytes { pixels in
                let walk = Walk(self, bitmap)
                let source = UnsafeRawBufferPointer(stored)
                if swapsAxes {
                    walk.copySquares(source, pixels, turned)
                } else {
                    walk.copy(source, pixels, turned, columns: 0..<turned.width, rows: 0..<turned.height)
                }
            }
        }
        return turned
    }
}

/// The way through a stored picture that meets its pixels in the order of the turned one.
private struct Walk {
    /// Where the first pixel is, and how far it is from there to the next one across, and down; in bytes.
    let first: Int, across: Int, down: Int

    init(_ orientation: Orientation, _ stored: Bitmap) {
        let column = orientation.mirrorsColumns ? -4 : 4
        let row = orientation.mirrorsRows ? -stored.bytesPerRow : stored.bytesPerRow
        first = (column < 0 ? 4 * (stored.width - 1) : 0) + (row < 0 ? stored.bytesPerRow * (stored.height - 1) : 0)
        (across, down) = orientation.swapsAxes ? (row, column) : (column, row)
    }

    /// Copies a part pixel by pixel.
    func copy(
        _ stored: UnsafeRawBufferPointer, _ pixels: UnsafeMutableRawBufferPointer, _ turned: Bitmap,
        columns: Range<Int>, rows: Range<Int>
    ) {
        for y in rows {
            var source = first + y * down + columns.lowerBound * across
            var target = y * turned.bytesPerRow + 4 * columns.lowerBound
            for _ in columns {
                pixels.storeBytes(
                    of: stored.load(fromByteOffset: source, as: UInt32.self), toByteOffset: target, as: UInt32.self)
                source += across
                target += 4
            }
        }
    }

    /// Copies all of a picture whose rows become columns by squares of four pixels: each row that is stored then costs one
    /// access for four pixels, where walking down a column has each of them come from memory of its own.
    func copySquares(
        _ stored: UnsafeRawBufferPointer, _ pixels: UnsafeMutableRawBufferPointer, _ turned: Bitmap
    ) {
        typealias Four = SIMD4<UInt32>
        let (width, height) = (turned.width / 4 * 4, turned.height / 4 * 4)
        // Rows of the turned picture are stored from left to right, or from right to left.
        let lines = down > 0 ? (0, 1, 2, 3) : (3, 2, 1, 0)
        for y in stride(from: 0, to: height, by: 4) {
            let left = first + y * down + min(0, 3 * down)
            for x in stride(from: 0, to: width, by: 4) {
                let source = left + x * across
                let a = stored.loadUnaligned(fromByteOffset: source, as: Four.self)
                let b = stored.loadUnaligned(fromByteOffset: source + across, as: Four.self)
                let c = stored.loadUnaligned(fromByteOffset: source + 2 * across, as: Four.self)
                let d = stored.loadUnaligned(fromByteOffset: source + 3 * across, as: Four.self)
                func store(_ line: Int, _ four: Four) {
                    pixels.storeBytes(
                        of: four, toByteOffset: (y + line) * turned.bytesPerRow + 4 * x, as: Four.self)
                }
                store(lines.0, Four(a.x, b.x, c.x, d.x))
                store(lines.1, Four(a.y, b.y, c.y, d.y))
                store(lines.2, Four(a.z, b.z, c.z, d.z))
                store(lines.3, Four(a.w, b.w, c.w, d.w))
            }
        }
        copy(stored, pixels, turned, columns: width..<turned.width, rows: 0..<height)
        copy(stored, pixels, turned, columns: 0..<turned.width, rows: height..<turned.height)
    }
}

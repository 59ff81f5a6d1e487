package import VitrineKit

/// How a stored picture has to be turned to stand upright: one of the eight ways that map a rectangle onto
/// itself or its transpose.
package struct Orientation: Hashable {
    /// Rows become columns. Applied last, after the mirrors.
    package var swapsAxes = false
    /// Left and right of the stored picture change places.
    package var mirrorsColumns = false
    /// Top and bottom of the stored picture change places.
    package var mirrorsRows = false

    /// As stored.
    package static let upright = Orientation()

    /// As stored.
    package init() {}

    /// Reads a display matrix (ISO/IEC 14496-12, `tkhd`): a stored point (p, q) is shown at
    /// (a·p + c·q, b·p + d·q), where the matrix's rows are (a, b, u), (c, d, v), (x, y, w).
    ///
    /// Angles between the quarters go to the nearest one, because a preview is a rectangle.
    /// - Parameter matrix: nine values; fewer mean upright.
    package init(displayMatrix matrix: [Int32]) {
        guard matrix.count >= 5 else { return }
        let (a, b, c, d) = (Int64(matrix[0]), Int64(matrix[1]), Int64(matrix[3]), Int64(matrix[4]))
        swapsAxes = b.magnitude + c.magnitude > a.magnitude + d.magnitude
        mirrorsColumns = (swapsAxes ? b : a) < 0
        mirrorsRows = (swapsAxes ? c : d) < 0
    }

    /// The size that the turned picture has.
    package func applied(to size: PixelSize) -> PixelSize {
        swapsAxes ? PixelSize(width: size.height, height: size.width) : size
    }

    /// Turns a bitmap.
    /// - Returns: the same bitmap when there is nothing to do.
    /// - Throws: `limitExceeded` when there is no memory for another one.
    package func applied(to bitmap: Bitmap) throws(PluginError) -> Bitmap {
        if self == .upright { return bitmap }
        let size = applied(to: PixelSize(width: bitmap.width, height: bitmap.height))
        let turned = try Bitmap(width: size.width, height: size.height, format: bitmap.format)
        bitmap.withUnsafeMutableBytes { source in
            turned.withUnsafeMutableBytes { target in
                for y in 0..<turned.height {
                    let row = y * turned.bytesPerRow
                    for x in 0..<turned.width {
                        let column = swapsAxes ? y : x
                        let line = swapsAxes ? x : y
                        let from =
                            (mirrorsRows ? bitmap.height - 1 - line : line) * bitmap.bytesPerRow
                            + (mirrorsColumns ? bitmap.width - 1 - column : column) * 4
                        target.storeBytes(
                            of: source.load(fromByteOffset: from, as: UInt32.self), toByteOffset: row + x * 4,
                            as: UInt32.self)
                    }
                }
            }
        }
        return turned
    }
}

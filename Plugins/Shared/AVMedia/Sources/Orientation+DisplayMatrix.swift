package import VitrineKit

extension Orientation {
    /// Reads a display matrix (ISO/IEC 14496-12, `tkhd`): a stored point (p, q) is shown at
    /// (a·p + c·q, b·p + d·q), where the matrix's rows are (a, b, u), (c, d, v), (x, y, w).
    ///
    /// Angles between the quarters go to the nearest one, because a preview is a rectangle.
    /// - Parameter matrix: nine values; fewer mean upright.
    package init(displayMatrix matrix: [Int32]) {
        self.init()
        guard matrix.count >= 5 else { return }
        let (a, b, c, d) = (Int64(matrix[0]), Int64(matrix[1]), Int64(matrix[3]), Int64(matrix[4]))
        swapsAxes = b.magnitude + c.magnitude > a.magnitude + d.magnitude
        mirrorsColumns = (swapsAxes ? b : a) < 0
        mirrorsRows = (swapsAxes ? c : d) < 0
    }
}

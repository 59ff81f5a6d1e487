public import VitrineTesting

/// How different two pictures look when both are seen from afar.
///
/// Both are reduced to a grid of averages and compared cell by cell in Oklab. Another font moves letters
/// inside of a cell, which changes its average a little; another page, colour or turn changes many cells a lot.
public struct PictureDifference: Sendable {
    /// The average distance over all cells; see ``OklabColor/distance(to:)``.
    public let mean: Double
    /// The distance in the cell where it is largest.
    public let largest: Double
    /// The distance in each cell, row by row.
    public let cells: [Double]

    /// Cells across and down.
    public static let side = 16

    /// Compares two pictures. Their sizes may differ; both are stretched over the same grid.
    public init(_ one: RGBAPicture, _ other: RGBAPicture) {
        cells = (0..<Self.side * Self.side).map { index in
            let columns = Self.share(index % Self.side), rows = Self.share(index / Self.side)
            return one.average(columns: columns, rows: rows).distance(
                to: other.average(columns: columns, rows: rows))
        }
        mean = cells.reduce(0, +) / Double(cells.count)
        largest = cells.max() ?? 0
    }

    private static func share(_ cell: Int) -> ClosedRange<Double> {
        (Double(cell) / Double(side))...(Double(cell + 1) / Double(side))
    }

    /// A picture of the distances: black where nothing differs, white from a distance of 0.25 on.
    public func heatMap() -> RGBAPicture? {
        // Pixels a cell.
        let scale = 8
        var pixels: [UInt8] = []
        for y in 0..<Self.side * scale {
            for x in 0..<Self.side * scale {
                let level = UInt8(min(255, cells[y / scale * Self.side + x / scale] * 4 * 255))
                pixels += [level, level, level, 255]
            }
        }
        return RGBAPicture(width: Self.side * scale, height: Self.side * scale, pixels: pixels)
    }
}

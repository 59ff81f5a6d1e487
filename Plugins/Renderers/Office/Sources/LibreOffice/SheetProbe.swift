internal import VitrineKit

/// Finds out how much of a sheet is worth showing, by a look at a small drawing of it: cells, charts and pictures
/// alike, whatever LibreOffice says about used ranges.
struct SheetProbe {
    /// The cell that what is shown begins with: where all that is on the sheet is far from the first one. The cursor is on it.
    let first: OfficeDocument.Cell?

    /// Twips from there to the last row and column with something in them; `nil` when nothing can be seen.
    var extent: (width: Int, height: Int)? { ink.map { ($0.right, $0.bottom) } }

    /// Twips from there to the first and the last row and column with something in them.
    private let ink: (left: Int, top: Int, right: Int, bottom: Int)?

    /// The largest area that is shown of a sheet, in twips: A4 across.
    static let largest = OfficeDocument.Area(width: 16_838, height: 11_906)

    /// The smallest, so that a single word does not fill the picture.
    private static let smallest = OfficeDocument.Area(width: 6_400, height: 4_000)

    /// What begins beyond it is far from the first cell.
    private static let near = OfficeDocument.Area(width: 5_000, height: 4_000)

    /// Twips for a pixel of the drawing.
    private static let scale = 40

    /// Channels at or above this are blank paper or the grid.
    static let blank: UInt8 = 0xE0

    /// Looks at the sheet that is shown.
    init(_ document: OfficeDocument) throws(PluginError) {
        let probe = try SheetProbe(document, at: nil)
        guard probe.isFar, let cells = document.firstCells(), let corner = probe.start(cells.corner, document) else {
            self = probe
            return
        }
        // There may be nothing in the corner of the first row and the first column.
        for cell in [corner, cells.found] {
            let found = try SheetProbe(document, at: cell)
            if found.ink != nil {
                self = found
                return
            }
        }
        self = probe
    }

    private init(_ document: OfficeDocument, at cell: OfficeDocument.Cell?) throws(PluginError) {
        first = cell
        let whole = document.size
        var area = OfficeDocument.Area(
            width: min(whole.width, Self.largest.width), height: min(whole.height, Self.largest.height))
        guard area.width >= Self.scale, area.height >= Self.scale else {
            ink = nil
            return
        }
        let size = PixelSize(width: area.width / Self.scale, height: area.height / Self.scale)
        if let cell {
            document.go(to: cell)
            document.cursor(drawing: area, size).map { (area.x, area.y) = $0 }
        }
        ink = Self.inked(try document.draw(area, size)).map {
            ($0.left * Self.scale, $0.top * Self.scale, $0.right * Self.scale, $0.bottom * Self.scale)
        }
    }

    /// Whether there is nothing near the first cell.
    private var isFar: Bool {
        ink.map { $0.left >= Self.near.width || $0.top >= Self.near.height } ?? true
    }

    /// The cell to begin with.
    /// - Parameter corner: of all cells with something in them.
    /// - Returns: `nil` for the first one, also where a picture comes before all cells.
    private func start(_ corner: OfficeDocument.Cell, _ document: OfficeDocument) -> OfficeDocument.Cell? {
        document.go(to: corner)
        let size = PixelSize(width: Self.largest.width / Self.scale, height: Self.largest.height / Self.scale)
        guard let place = document.cursor(drawing: Self.largest, size) else { return nil }
        // Both are rounded to pixels.
        let isFarRight = place.x >= Self.near.width && place.x - 2 * Self.scale <= ink?.left ?? .max
        let isFarDown = place.y >= Self.near.height && place.y - 2 * Self.scale <= ink?.top ?? .max
        guard isFarRight || isFarDown else { return nil }
        return OfficeDocument.Cell(column: isFarRight ? corner.column : 0, row: isFarDown ? corner.row : 0)
    }

    /// The area to show: what has something in it and some room around, neither tiny nor a thin strip.
    var area: OfficeDocument.Area {
        guard let extent else { return Self.smallest }
        let margin = 400
        var width = min(max(extent.width + margin, Self.smallest.width), Self.largest.width)
        var height = min(max(extent.height + margin, Self.smallest.height), Self.largest.height)
        // Not wider than 2 : 1, not higher than 1 : 1.
        height = max(height, width / 2)
        width = max(width, height)
        return OfficeDocument.Area(width: width, height: height)
    }

    /// The first and the last row and column with pixels that are not blank; `nil` when there are none.
    private static func inked(_ bitmap: Bitmap) -> (left: Int, top: Int, right: Int, bottom: Int)? {
        var (left, top, right, bottom) = (Int.max, Int.max, 0, 0)
        bitmap.withUnsafeMutableBytes { bytes in
            for y in 0..<bitmap.height {
                let row = y * bitmap.bytesPerRow
                for x in 0..<bitmap.width {
                    let at = row + x * 4
                    if bytes[at] < blank || bytes[at + 1] < blank || bytes[at + 2] < blank {
                        left = min(left, x)
                        top = min(top, y)
                        right = max(right, x + 1)
                        bottom = y + 1
                    }
                }
            }
        }
        return right == 0 ? nil : (left, top, right, bottom)
    }
}

internal import VitrineKit

extension OfficeDocument {
    /// A cell of a sheet, counted from 0.
    struct Cell: Equatable {
        var column: Int
        var row: Int

        /// What people call it, such as `AE501`.
        var name: String {
            var letters = ""
            var rest = column
            repeat {
                letters = String(UnicodeScalar(UInt8(ascii: "A") + UInt8(rest % 26))) + letters
                rest = rest / 26 - 1
            } while rest >= 0
            return "\(letters)\(row + 1)"
        }
    }

    /// The first row and the first column of the sheet that is shown that have something in a cell, and the first cell of that
    /// row; `nil` when LibreOffice finds none. What is in the very first cell is not looked at.
    ///
    /// Where LibreOffice would look at too many cells for the first row, it is one near the first cell of that column.
    func firstCells() -> (corner: Cell, found: Cell)? {
        guard let left = firstCell(byRows: false) else { return nil }
        // By rows, it looks at each of a row that is before the last column in use.
        let isSoonFound = left.row * (lastColumn + 1) <= Self.mostCells
        let start = Cell(column: 0, row: isSoonFound ? 0 : max(0, left.row - Self.nearRows))
        guard let found = firstCell(byRows: true, from: start) else { return nil }
        return (Cell(column: left.column, row: found.row), found)
    }

    /// Cells that are looked at, which takes about a second.
    private static let mostCells = 200_000_000
    /// Rows above a cell that are looked at otherwise: about as many as are shown.
    private static let nearRows = 32

    /// The last column of the sheet that is shown that has something in a cell.
    private var lastColumn: Int {
        perform(".uno:GoToEndOfData")
        return place?.cell.column ?? 0
    }

    /// Puts the cursor on a cell. It is not drawn.
    func go(to cell: Cell) {
        perform(".uno:GoToCell", "{\"ToPoint\":{\"type\":\"string\",\"value\":\"\(cell.name)\"}}")
    }

    /// Where the cell begins that the cursor is on, in a drawing: LibreOffice rounds the height of each row to pixels, so that
    /// places far from the first cell are others in each size.
    /// - Parameters:
    ///   - area: what is drawn, of which only the size counts.
    ///   - size: of the picture, in pixels.
    func cursor(drawing area: Area, _ size: PixelSize) -> (x: Int, y: Int)? {
        setZoom(area, size)
        return place.map { ($0.x, $0.y) }
    }

    /// - Parameter start: what is in this cell is not looked at, nor what comes before it.
    private func firstCell(byRows: Bool, from start: Cell = Cell(column: 0, row: 0)) -> Cell? {
        go(to: start)
        // Any character, by a regular expression, in formulas and texts alike.
        perform(
            ".uno:ExecuteSearch",
            """
            {"SearchItem.SearchString":{"type":"string","value":"."},\
            "SearchItem.Command":{"type":"unsigned short","value":"0"},\
            "SearchItem.AlgorithmType":{"type":"short","value":"1"},\
            "SearchItem.AlgorithmType2":{"type":"short","value":"2"},\
            "SearchItem.CellType":{"type":"short","value":"0"},\
            "SearchItem.RowDirection":{"type":"boolean","value":"\(byRows)"},\
            "SearchItem.Backward":{"type":"boolean","value":"false"}}
            """)
        return place.flatMap { $0.cell == start ? nil : $0.cell }
    }

    /// Where the cursor is.
    private var place: (x: Int, y: Int, cell: Cell)? {
        // Left, top, width, height, column and row, as one string.
        let numbers = values(".uno:CellCursor").split(separator: "\"").flatMap { $0.split(separator: ",") }
            .compactMap { Int($0.drop { $0 == " " }) }
        guard numbers.count == 6, numbers.allSatisfy({ 0..<Int(Int32.max) ~= $0 }) else { return nil }
        return (numbers[0], numbers[1], Cell(column: numbers[4], row: numbers[5]))
    }
}

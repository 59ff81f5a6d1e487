internal import VitrineKit

/// A row of a table in OpenDocument, in which equal neighbours are written once: cells with how many they are, and the whole row
/// as well (OpenDocument 1.3, part 3, 19.675 and 19.677).
struct RepeatedRow {
    /// How often it stands there. Rows of any number are bounded by the text that is kept of a page.
    let count: Int
    /// Whether a cell has begun and not ended.
    private(set) var isInCell = false
    /// The cells, with tabs between them. Empty ones at its end leave nothing.
    private(set) var text = ""

    private var cell = ""
    private var cellCount = 1
    /// Empty cells behind the last one with something in it.
    private var emptyCells = 0

    /// Rows that a sheet has at most, and columns, in LibreOffice and Excel.
    private static let mostRows = 1 << 20
    private static let mostCells = 1 << 14

    /// Begins a row.
    /// - Parameter attributes: of its element.
    init(_ attributes: [String: String] = [:]) {
        count = Self.count(attributes["number-rows-repeated"], Self.mostRows)
    }

    /// Begins a cell.
    /// - Parameter attributes: of its element.
    mutating func startCell(_ attributes: [String: String]) {
        (isInCell, cell) = (true, "")
        cellCount = Self.count(attributes["number-columns-repeated"], Self.mostCells)
    }

    /// Begins a paragraph, which a cell may have several of.
    mutating func startParagraph() {
        if !cell.isEmpty { add(" ") }
    }

    /// Adds to the cell that is open.
    mutating func add(_ words: String) {
        if cell.utf8.count < Facts.textLimit { cell += words }
    }

    /// Ends the cell.
    /// - Parameter isKept: whether anything of it is wanted.
    mutating func endCell(isKept: Bool) {
        isInCell = false
        guard isKept else { return }
        guard cell.contains(where: { !$0.isWhitespace }) else {
            emptyCells = min(emptyCells + cellCount, Self.mostCells)
            return
        }
        for _ in 0..<cellCount {
            guard text.utf8.count < Facts.textLimit else { return }
            text += String(repeating: "\t", count: emptyCells) + cell
            // The tab between it and the next one.
            emptyCells = 1
        }
    }

    private static func count(_ written: String?, _ most: Int) -> Int {
        written.flatMap { Int($0) }.map { min(max($0, 1), most) } ?? 1
    }
}

/// A table of a Markdown text (GitHub Flavored Markdown, 4.10).
struct MarkdownTable: Equatable {
    /// Where in its column a cell stands.
    enum Alignment { case left, center, right }

    /// The cells of each row, without marks; some may have fewer than others.
    private(set) var rows: [[String]] = []
    /// Of the first columns; others are aligned to the left.
    private(set) var alignments: [Alignment] = []
    /// Whether the first row says what the columns are.
    private(set) var hasHead = false

    /// More than a page shows.
    private static let rowLimit = 40
    private static let columnLimit = 24
    private static let cellLimit = 120

    /// Whether no more rows are taken.
    var isFull: Bool { rows.count >= Self.rowLimit }

    /// Columns of the widest row.
    var columns: Int { rows.map(\.count).max() ?? 0 }

    /// The words of all cells, a row a line.
    var text: String { rows.map { $0.joined(separator: "   ") }.joined(separator: "\n") }

    /// Takes a line that begins with a bar: a row, or what stands below the head and says how columns are aligned.
    mutating func take(_ line: Substring) {
        let cells = Self.cells(line)
        if line.allSatisfy({ "|-: ".contains($0) }) {
            guard rows.count == 1, !hasHead, line.contains("-") else { return }
            hasHead = true
            alignments = cells.map { cell in
                guard cell.hasSuffix(":") else { return .left }
                return cell.hasPrefix(":") ? .center : .right
            }
        } else if !isFull {
            rows.append(cells.map { Inline.plain($0) })
        }
    }

    /// What stands between bars; one behind a backslash belongs to the cell.
    private static func cells(_ line: Substring) -> [String] {
        var cells: [String] = []
        var cell = ""
        var isEscaped = false
        for character in line.dropFirst() {
            if character == "|", !isEscaped {
                if cells.count < columnLimit { cells.append(String(cell.prefix(cellLimit).trimmingBlanks)) }
                cell = ""
                continue
            }
            cell.append(character)
            isEscaped = character == "\\" && !isEscaped
        }
        let last = cell.prefix(cellLimit).trimmingBlanks
        if !last.isEmpty, cells.count < columnLimit { cells.append(String(last)) }
        return cells
    }
}

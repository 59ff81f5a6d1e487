/// A table of a Markdown text (GitHub Flavored Markdown, 4.10).
struct MarkdownTable: Equatable {
    /// Where in its column a cell stands.
    enum Alignment { case left, center, right }

    /// The cells of each row, without marks; some may have fewer than others. The first says what the columns are.
    private(set) var rows: [[String]]
    /// Of the first columns; others are aligned to the left.
    let alignments: [Alignment]

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

    /// Begins a table.
    /// - Parameters:
    ///   - head: a line with a bar.
    ///   - line: the one below it.
    /// - Returns: `nil` when that does not say how columns are aligned: then the line above is none of a table.
    ///   - notes: of the whole text.
    init?(head: Substring, _ line: Substring, _ notes: MarkdownNotes = MarkdownNotes()) {
        guard Self.isRuling(line) else { return nil }
        rows = [Self.cells(head).map { Inline.plain($0, notes) }]
        alignments = Self.cells(line).map { cell in
            guard cell.hasSuffix(":") else { return .left }
            return cell.hasPrefix(":") ? .center : .right
        }
    }

    /// Whether a line says how columns are aligned.
    static func isRuling(_ line: Substring) -> Bool {
        line.contains("-") && line.contains("|") && line.allSatisfy { "|-: \t".contains($0) }
    }

    /// Takes a line with a bar: a row.
    mutating func take(_ line: Substring, _ notes: MarkdownNotes) {
        if !isFull { rows.append(Self.cells(line).map { Inline.plain($0, notes) }) }
    }

    /// What stands between bars; one behind a backslash belongs to the cell.
    private static func cells(_ line: Substring) -> [String] {
        var cells: [String] = []
        var cell = ""
        var isEscaped = false
        for character in line.hasPrefix("|") ? line.dropFirst() : line {
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

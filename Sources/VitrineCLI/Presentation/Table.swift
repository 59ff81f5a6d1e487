import Glibc
import VitrineKit

/// Rows as columns of text.
enum Table {
    /// Prints rows, all of the same number of cells; the first one is their heading. Names are made safe to show. Columns with
    /// nothing in them are left out, and those of numbers lie below their last digits. In a terminal that is too narrow each row
    /// takes several lines, in all rows the same columns; what is no terminal gets each row on one line.
    static func show(_ rows: [[String]]) {
        for line in lines(rows) { Console.print(line) }
    }

    /// Columns that standard output has for a line: those of its terminal, and no end of them in what is none.
    static var width: Int { Console.isTerminal(STDOUT_FILENO) ? Console.outputWidth : Int.max }

    /// What stands before the lines of a row that follow its first one.
    private static let indent = "    "

    /// The same rows as lines.
    /// - Parameters:
    ///   - figures: the first of the columns that hold figures with their units, which lie below their last letters. Default:
    ///     none, and numbers alone do.
    ///   - gap: blanks between columns, where there is room for so many; else fewer, down to one before figures. Default: two.
    static func lines(_ rows: [[String]], figures: Int? = nil, gap: Int = 2, width: Int = Self.width) -> [String] {
        guard let heading = rows.first else { return [] }
        let rows = rows.map { $0.map { DisplayText.of($0) } }
        let columns = heading.indices.filter { column in rows.dropFirst().contains { !$0[column].isEmpty } }
        let widths = heading.indices.map { column in rows.map { $0[column].columns }.max() ?? 0 }
        let numbers = heading.indices.map { column in
            figures.map { column >= $0 }
                ?? rows.dropFirst().allSatisfy { $0[column] == "?" || $0[column].allSatisfy { "0"..."9" ~= $0 } }
        }
        let (cells, narrowest) = (columns.reduce(0) { $0 + widths[$1] }, figures == nil ? 2 : 1)
        let fitting = stride(from: gap, through: narrowest, by: -1).first { cells + $0 * (columns.count - 1) <= width }
        let blanks = String(repeating: " ", count: fitting ?? 2)
        let parts = fitting == nil ? parts(columns, widths, in: width) : [columns]
        return rows.flatMap { row in
            parts.enumerated().compactMap { number, columns in
                if number > 0, columns.allSatisfy({ row[$0].isEmpty }) { return nil }
                let cells = columns.map { column in
                    if numbers[column] { return row[column].leftPadded(to: widths[column]) }
                    return column == columns.last ? row[column] : row[column].padded(to: widths[column])
                }
                return (number == 0 ? "" : indent) + cells.joined(separator: blanks)
            }
        }
    }

    /// Divides columns into those that stand on a line. What is wider than the terminal, such as a long path, has a line of its
    /// own, and stays in one piece.
    private static func parts(_ columns: [Int], _ widths: [Int], in width: Int) -> [[Int]] {
        var parts: [[Int]] = []
        var used = 0
        for column in columns {
            used += 2 + widths[column]
            if !parts.isEmpty, used <= width {
                parts[parts.count - 1].append(column)
            } else {
                used = (parts.isEmpty ? 0 : indent.count) + widths[column]
                parts.append([column])
            }
        }
        return parts
    }
}

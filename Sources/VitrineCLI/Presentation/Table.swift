import VitrineKit

/// Rows as columns of text.
enum Table {
    /// Prints rows, all of the same number of cells; the first one is their heading. Names are made safe to show. Columns with
    /// nothing in them are left out, and those of numbers lie below their last digits.
    static func show(_ rows: [[String]]) {
        for line in lines(rows) { Console.print(line) }
    }

    /// The same as lines.
    static func lines(_ rows: [[String]]) -> [String] {
        guard let heading = rows.first else { return [] }
        let rows = rows.map { $0.map { DisplayText.of($0) } }
        let columns = heading.indices.filter { column in rows.dropFirst().contains { !$0[column].isEmpty } }
        let widths = heading.indices.map { column in rows.map { $0[column].columns }.max() ?? 0 }
        let numbers = heading.indices.map { column in
            rows.dropFirst().allSatisfy { $0[column] == "?" || $0[column].allSatisfy { "0"..."9" ~= $0 } }
        }
        return rows.map { row in
            let cells = columns.map { column in
                if numbers[column] { return row[column].leftPadded(to: widths[column]) }
                return column == columns.last ? row[column] : row[column].padded(to: widths[column])
            }
            return cells.joined(separator: "  ")
        }
    }
}

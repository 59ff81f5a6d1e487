import VitrineKit

/// Rows as columns of text.
enum Table {
    /// Prints rows, all of the same number of cells; the first one is their heading. Names are made safe to show.
    static func show(_ rows: [[String]]) {
        let rows = rows.map { $0.map { DisplayText.of($0) } }
        guard let first = rows.first else { return }
        let widths = first.indices.map { column in rows.map { $0[column].columns }.max() ?? 0 }
        for row in rows {
            let cells = row.indices.map { $0 == row.count - 1 ? row[$0] : row[$0].padded(to: widths[$0] + 2) }
            Console.print(cells.joined())
        }
    }
}

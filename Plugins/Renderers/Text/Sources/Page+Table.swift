internal import TextDrawing

extension Page {
    private static let cellSize = 7.0
    private static let rowHeight = 10.6
    private static let padding = 2.2
    private static let columnWidths = 12.0...58.0
    /// How much wider than they need to be columns are made, so that they fill the page.
    private static let stretch = 2.2

    /// Draws a table from its first row and column on; what does not fit is cut off.
    func draw(_ table: DelimitedTable) {
        let (left, right) = (Self.margin * 0.7, Self.width - Self.margin * 0.7)
        let visible = Int((Self.bottom - Self.top * 0.8) / Self.rowHeight)
        let rows = Array(table.rows.prefix(visible))
        guard !rows.isEmpty, !table.isNumeric.isEmpty else { return }
        let widths = columnWidths(rows, table.isNumeric.count, room: right - left)
        let edges = widths.reduce(into: [left]) { edges, width in edges.append(min(right, (edges.last ?? left) + width))
        }
        let columns = edges.dropLast().prefix { $0 < right - 4 }.count
        let end = edges[columns]
        let top = Self.top * 0.8

        fill(x: left, y: top, width: end - left, height: Self.rowHeight, .head)
        for (index, row) in rows.enumerated() {
            let y = top + Double(index) * Self.rowHeight
            if index > 0, index.isMultiple(of: 2) {
                fill(x: left, y: y, width: end - left, height: Self.rowHeight, .shade)
            }
            for column in 0..<columns {
                draw(
                    row[column], isHead: index == 0, toTheRight: table.isNumeric[column], x: edges[column],
                    width: edges[column + 1] - edges[column], baseline: y + Self.rowHeight * 0.7)
            }
        }
        let bottom = top + Double(rows.count) * Self.rowHeight
        for edge in edges[...columns] { fill(x: edge - 0.25, y: top, width: 0.5, height: bottom - top, .line) }
        for index in 0...rows.count {
            fill(x: left, y: top + Double(index) * Self.rowHeight - 0.25, width: end - left, height: 0.5, .line)
        }
    }

    private func draw(
        _ cell: String, isHead: Bool, toTheRight: Bool, x: Double, width: Double, baseline: Double
    ) {
        let room = width - 2 * Self.padding
        let font = Self.font(isHead: isHead)
        guard !cell.isEmpty, room > 2, let layout = TextLayout(cell, font, on: self, width: room, lines: 1) else {
            return
        }
        use(.text)
        let shift = toTheRight && !layout.isRightToLeft ? max(0, room - layout.width) : 0
        layout.draw(on: self, x: x + Self.padding + shift, baseline: baseline, pitch: Self.rowHeight)
    }

    private func width(of cell: String, isHead: Bool) -> Double {
        guard !cell.isEmpty, let layout = TextLayout(cell, Self.font(isHead: isHead), on: self) else { return 0 }
        return layout.width
    }

    private static func font(isHead: Bool) -> TextLayout.Font {
        TextLayout.Font(family: "Sans", size: cellSize, isBold: isHead)
    }

    /// As wide as their cells need, within bounds; wider where the page has room for all.
    private func columnWidths(_ rows: [[String]], _ count: Int, room: Double) -> [Double] {
        let needed = (0..<count).map { column in
            // The head, and the one of the others with the most letters, stand for all.
            let longest = rows.dropFirst().map { $0[column] }.max { $0.unicodeScalars.count < $1.unicodeScalars.count }
            let widest = max(width(of: rows[0][column], isHead: true), width(of: longest ?? "", isHead: false))
            return max(Self.columnWidths.lowerBound, min(Self.columnWidths.upperBound, widest + 2.4 * Self.padding))
        }
        let factor = max(1, min(Self.stretch, room / needed.reduce(0, +)))
        return needed.map { $0 * factor }
    }
}

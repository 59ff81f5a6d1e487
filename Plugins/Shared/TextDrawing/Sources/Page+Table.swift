extension Page {
    /// The measures of a table's cells, in millimetres.
    private struct Cells {
        /// How much larger than usual they are.
        let scale: Double
        var font: Double { 7 * scale }
        var height: Double { 10.6 * scale }
        var padding: Double { 2.2 * scale }
        var widths: ClosedRange<Double> { 12 * scale...58 * scale }
    }

    /// The most that a small table is enlarged, so that it is no stamp.
    private static let mostScale = 1.5
    /// How much wider than they need to be columns are made, so that they fill the page.
    private static let stretch = 2.2

    /// Draws a table from its first row and column on, across the width of an A4 page; what does not fit is cut off.
    /// - Parameters:
    ///   - rows: the first is the head. Each has a cell for every column.
    ///   - isNumeric: of each column, whether it is set to the right.
    ///   - top: where the table begins. Default: that of a page with nothing else on it.
    ///   - bottom: where it ends at the latest.
    /// - Returns: where it ends.
    @discardableResult package func drawTable(
        _ rows: [[String]], isNumeric: [Bool], top: Double = Page.top * 0.8, bottom: Double = Page.bottom
    ) -> Double {
        let (left, right) = (Self.margin * 0.7, Self.width - Self.margin * 0.7)
        let usual = Cells(scale: 1)
        let rows = Array(rows.prefix(max(0, Int((bottom - top) / usual.height))))
        guard !rows.isEmpty, !isNumeric.isEmpty else { return top }
        var needed = columnWidths(rows, isNumeric.count, usual)
        let fitting = min((right - left) / needed.reduce(0, +), (bottom - top) / (Double(rows.count) * usual.height))
        let cells = Cells(scale: max(1, min(Self.mostScale, fitting)))
        needed = needed.map { $0 * cells.scale }
        let factor = max(1, min(Self.stretch, (right - left) / needed.reduce(0, +)))
        let edges = needed.reduce(into: [left]) { edges, width in
            edges.append(min(right, (edges.last ?? left) + width * factor))
        }
        let columns = edges.dropLast().prefix { $0 < right - 4 }.count
        let end = edges[columns]

        fill(x: left, y: top, width: end - left, height: cells.height, .head)
        for (index, row) in rows.enumerated() {
            let y = top + Double(index) * cells.height
            if index > 0, index.isMultiple(of: 2) {
                fill(x: left, y: y, width: end - left, height: cells.height, .shade)
            }
            for column in 0..<columns {
                draw(
                    row[column], cells, isHead: index == 0, toTheRight: isNumeric[column], x: edges[column],
                    width: edges[column + 1] - edges[column], baseline: y + cells.height * 0.7)
            }
        }
        let height = Double(rows.count) * cells.height
        for edge in edges[...columns] { fill(x: edge - 0.25, y: top, width: 0.5, height: height, .line) }
        for index in 0...rows.count {
            fill(x: left, y: top + Double(index) * cells.height - 0.25, width: end - left, height: 0.5, .line)
        }
        return top + height
    }

    private func draw(
        _ text: String, _ cells: Cells, isHead: Bool, toTheRight: Bool, x: Double, width: Double, baseline: Double
    ) {
        let room = width - 2 * cells.padding
        let font = TextLayout.Font(family: "Sans", size: cells.font, isBold: isHead)
        guard !text.isEmpty, room > 2, let layout = TextLayout(text, font, on: self, width: room, lines: 1) else {
            return
        }
        use(.text)
        let shift = toTheRight && !layout.isRightToLeft ? max(0, room - layout.width) : 0
        layout.draw(on: self, x: x + cells.padding + shift, baseline: baseline, pitch: cells.height)
    }

    private func width(of text: String, _ cells: Cells, isHead: Bool) -> Double {
        let font = TextLayout.Font(family: "Sans", size: cells.font, isBold: isHead)
        guard !text.isEmpty, let layout = TextLayout(text, font, on: self) else { return 0 }
        return layout.width
    }

    /// As wide as the cells of each column need, within bounds.
    private func columnWidths(_ rows: [[String]], _ count: Int, _ cells: Cells) -> [Double] {
        (0..<count).map { column in
            // The head, and the one of the others with the most letters, stand for all.
            let longest = rows.dropFirst().map { $0[column] }.max { $0.unicodeScalars.count < $1.unicodeScalars.count }
            let widest = max(
                width(of: rows[0][column], cells, isHead: true), width(of: longest ?? "", cells, isHead: false))
            return max(cells.widths.lowerBound, min(cells.widths.upperBound, widest + 2.4 * cells.padding))
        }
    }
}

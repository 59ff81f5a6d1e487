internal import TextDrawing

extension Page {
    /// Draws a table among paragraphs, each row on a line; what does not fit is cut off.
    /// - Parameters:
    ///   - top: where it begins.
    ///   - pitch: from one line of a paragraph to the next.
    ///   - size: of the type.
    /// - Returns: how high it is.
    func draw(_ table: MarkdownTable, top: Double, pitch: Double, size: Double) -> Double {
        let (height, padding) = (1.35 * pitch, 0.4 * pitch)
        let rows = Array(table.rows.prefix(max(0, Int((Self.bottom - top) / height))))
        guard !rows.isEmpty, table.columns > 0 else { return 0 }
        let needed = (0..<table.columns).map { column in
            // The head, and the one of the others with the most letters, stand for all.
            let cells = rows.map { $0.dropFirst(column).first ?? "" }
            let longest = cells.dropFirst().max { $0.unicodeScalars.count < $1.unicodeScalars.count } ?? ""
            let head = width(of: cells[0], size: size, isBold: true)
            return max(head, width(of: longest, size: size, isBold: false)) + 2 * padding
        }
        let widths = Self.fitted(needed, room: Self.lineWidth)
        let whole = widths.reduce(0, +)
        fill(x: Self.margin, y: top, width: whole, height: height, .head)
        for (index, row) in rows.enumerated() {
            let y = top + Double(index) * height
            var x = Self.margin
            for (column, width) in widths.enumerated() {
                let text = row.dropFirst(column).first ?? ""
                let font = TextLayout.Font(family: "Sans", size: size, isBold: index == 0)
                let alignment = table.alignments.dropFirst(column).first ?? .left
                draw(text, font, alignment, x: x + padding, width: width - 2 * padding, baseline: y + 0.68 * height)
                x += width
            }
            fill(x: Self.margin, y: y + height - 0.2, width: whole, height: 0.4, .line)
        }
        return Double(rows.count) * height
    }

    private func draw(
        _ text: String, _ font: TextLayout.Font, _ alignment: MarkdownTable.Alignment, x: Double, width: Double,
        baseline: Double
    ) {
        guard !text.isEmpty, width > 0.5, let layout = TextLayout(text, font, on: self, width: width, lines: 1) else {
            return
        }
        use(.text)
        // What runs from right to left is at the right already.
        let free = layout.isRightToLeft ? 0 : max(0, width - layout.width)
        let shift =
            switch alignment {
            case .left: 0.0
            case .center: free / 2
            case .right: free
            }
        layout.draw(on: self, x: x + shift, baseline: baseline, pitch: font.size)
    }

    private func width(of text: String, size: Double, isBold: Bool) -> Double {
        let font = TextLayout.Font(family: "Sans", size: size, isBold: isBold)
        // A little more, or rounding would cut the last letter off.
        guard !text.isEmpty, let layout = TextLayout(text, font, on: self) else { return 0 }
        return layout.width + 0.1
    }

    /// Widths that fit into a room: the narrowest columns keep theirs, the others share what is left.
    private static func fitted(_ widths: [Double], room: Double) -> [Double] {
        var fitted = widths
        var left = room
        let order = widths.indices.sorted { widths[$0] < widths[$1] }
        for (count, index) in order.enumerated() {
            fitted[index] = min(widths[index], left / Double(order.count - count))
            left -= fitted[index]
        }
        return fitted
    }
}

internal import TextDrawing
internal import VitrineKit

extension Page {
    private static let pitch = 10.6
    private static let left = margin * 0.7
    private static let room = width - 2 * left
    /// Other tables that always have a line.
    private static let mostNamed = 6

    /// Draws the name of a table and its first rows, then the other tables with the number of their rows, until the page is full.
    func draw(_ contents: DatabaseContents) {
        let others = contents.tables.filter { $0.name != contents.shown.name }
        let name = Facts.line(contents.shown.name) ?? "(without a name)"
        line(name, size: 11.5, isBold: true, x: Self.left, baseline: 23, width: Self.room)
        let about = [contents.shown.count, contents.summary].compactMap { $0 }.joined(separator: " – ")
        line(about, size: 7.2, ink: .pale, x: Self.left, baseline: 33, width: Self.room)
        let kept = others.isEmpty ? 0 : Double(min(others.count, Self.mostNamed) + 1) * Self.pitch
        let end = drawTable(contents.cells, isNumeric: contents.isNumeric, top: 39, bottom: Self.bottom - kept)

        let top = end + 0.8 * Self.pitch
        let lines = max(0, Int((Self.bottom - top) / Self.pitch))
        // The last line says how many more there are.
        let named = others.count > lines ? max(0, lines - 1) : others.count
        for (index, table) in others.prefix(named).enumerated() { draw(table, y: top + Double(index) * Self.pitch) }
        if named < others.count {
            let more = "and \(others.count - named) more tables"
            line(
                more, size: 7.2, ink: .pale, x: Self.left, baseline: top + (Double(named) + 0.7) * Self.pitch,
                width: Self.room)
        }
    }

    private func draw(_ table: DatabaseContents.Table, y: Double) {
        var room = Self.room
        let baseline = y + 0.7 * Self.pitch
        if let count = table.count, let layout = TextLayout(count, TextLayout.Font(family: "Sans", size: 7), on: self) {
            use(.pale)
            layout.draw(on: self, x: Self.left + Self.room - layout.width, baseline: baseline, pitch: Self.pitch)
            room -= layout.width + 4
        }
        line(Facts.line(table.name) ?? "(without a name)", size: 7.6, x: Self.left, baseline: baseline, width: room)
        fill(x: Self.left, y: y + Self.pitch - 0.2, width: Self.room, height: 0.4, .line)
    }
}

extension DatabaseContents {
    /// Such as `SQLite database, 12 tables`.
    fileprivate var summary: String {
        let count = isWhole ? "\(tables.count)" : "more than \(tables.count)"
        return "\(kind), \(count) \(tables.count == 1 ? "table" : "tables")"
    }
}

internal import TextDrawing

extension Page {
    private static let left = margin * 0.8
    private static let room = width - 2 * left
    private static let size = 7.6
    private static let small = 6.6
    private static let pitch = 9.6

    /// Draws what something is and says, and below it a line for each of the others, until the page is full.
    func draw(_ file: CredentialFile) {
        fill(x: 0, y: 0, width: Self.width, height: 41, .shade)
        if let name = file.shown.name {
            line(name, size: 12, isBold: true, x: Self.left, baseline: 20, width: Self.room)
            line(file.shown.kind, size: 8, ink: .pale, x: Self.left, baseline: 32, width: Self.room)
        } else {
            line(file.shown.kind, size: 12, isBold: true, x: Self.left, baseline: 25, width: Self.room)
        }
        let count = file.others.count + file.more
        // Some of the others have lines even below a long certificate.
        let end = Self.bottom - Double(min(count, 4)) * Self.pitch
        var y = 54.0
        for detail in file.shown.details where y + Self.pitch < end { y = draw(detail, y: y, end: end) }
        guard count > 0 else { return }
        fill(x: Self.left, y: y - Self.size, width: Self.room, height: 0.4, .line)
        y += 2
        let lines = 1 + max(0, Int((Self.bottom - y) / Self.pitch))
        // The last line says how many more there are.
        let named = min(file.others.count, count > lines ? lines - 1 : lines)
        for other in file.others.prefix(named) {
            let used = line(other.summary, size: Self.size, x: Self.left, baseline: y, width: Self.room * 0.7)
            let x = Self.left + used + 4
            line(other.kind, size: Self.small, ink: .pale, x: x, baseline: y, width: Self.left + Self.room - x)
            y += Self.pitch
        }
        guard named < count else { return }
        line("and \(count - named) more", size: Self.small, ink: .pale, x: Self.left, baseline: y, width: Self.room)
    }

    /// - Returns: where what follows begins.
    private func draw(_ detail: Credential.Detail, y: Double, end: Double) -> Double {
        line(detail.label, size: Self.small, ink: .pale, x: Self.left, baseline: y, width: Self.room)
        let font = TextLayout.Font(
            family: detail.isCode ? "Monospace" : "Sans", size: detail.isCode ? Self.small : Self.size)
        let start = y + Self.pitch
        guard let layout = TextLayout(detail.value, font, on: self, width: Self.room, lines: 3) else { return start }
        use(.text)
        let count = layout.draw(on: self, x: Self.left, baseline: start, pitch: Self.pitch, limit: end)
        return start + Double(max(1, count)) * Self.pitch + 3
    }
}

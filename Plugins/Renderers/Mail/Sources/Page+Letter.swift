internal import TextDrawing
internal import VitrineKit

extension Page {
    /// Draws a mail as a card: who wrote when, about what, and how it begins.
    func draw(_ letter: Letter) {
        let margin = 13.0
        let room = width - 2 * margin
        fill(x: 0, y: 0, width: width, height: 30, .shade)
        let sender = letter.sender ?? "Unknown sender"
        initial(of: sender, x: margin, y: 6.5, side: 17)
        line(sender, size: 8, isBold: true, x: margin + 22, baseline: 14, width: room - 22)
        var below = [letter.date].compactMap(\.self)
        if letter.attachments > 0 {
            below.append(letter.attachments == 1 ? "1 attachment" : "\(letter.attachments) attachments")
        }
        line(below.joined(separator: "  ·  "), size: 6.2, ink: .pale, x: margin + 22, baseline: 22.5, width: room - 22)
        var y = 43.0
        use(.text)
        let subject = TextLayout.Font(family: "Sans", size: 10, isBold: true)
        if let layout = TextLayout(letter.subject ?? "No subject", subject, on: self, width: room) {
            y += Double(layout.draw(on: self, x: margin, baseline: y, pitch: 12.5, limit: 43 + 12.5 * 2)) * 12.5
        }
        fill(x: margin, y: y - 7, width: room, height: 0.6, .line)
        y += 4
        use(letter.text.isEmpty ? .pale : .text)
        let body = TextLayout.Font(family: "Sans", size: 7.4)
        let shown = String(String.UnicodeScalarView(letter.shownText.unicodeScalars.prefix(3000)))
        if !shown.isEmpty, let layout = TextLayout(shown, body, on: self, width: room) {
            layout.draw(on: self, x: margin, baseline: y, pitch: 10.4, limit: height - 9)
        }
    }

    /// The first letter of a name on a square of colour.
    private func initial(of name: String, x: Double, y: Double, side: Double) {
        fill(x: x, y: y, width: side, height: side, .accent)
        let first = name.first { $0.isLetter || $0.isNumber }.map { String($0).uppercased() } ?? "@"
        let font = TextLayout.Font(family: "Sans", size: 10, isBold: true)
        guard let layout = TextLayout(first, font, on: self) else { return }
        use(Ink(red: 1, green: 1, blue: 1))
        layout.draw(on: self, x: x + (side - layout.width) / 2, baseline: y + side / 2 + 3.6, pitch: 10)
    }
}

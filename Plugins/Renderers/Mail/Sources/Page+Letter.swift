internal import PictureDecoding
internal import TextDrawing
internal import VitrineKit

extension Page {
    /// Draws a mail as a card: who wrote when, about what, how it begins, and a picture of it.
    func draw(_ letter: Letter, _ picture: DecodedPicture?) {
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
        let place = Place(x: margin, top: y - 7, width: room, bottom: height - 9)
        guard let picture else {
            body(letter.shownText, isPale: letter.text.isEmpty, place)
            return
        }
        if letter.text.isEmpty {
            draw(picture, place, isCentred: true)
        } else if picture.size.height > picture.size.width {
            // Beside the lines, and no wider than half of them.
            let width = min(room * 0.48, (place.bottom - place.top) * picture.aspect)
            let gap = 6.0
            body(letter.text, Place(x: margin, top: place.top, width: room - width - gap, bottom: place.bottom))
            draw(picture, Place(x: margin + room - width, top: place.top, width: width, bottom: place.bottom))
        } else {
            // Below the first lines; empty ones would leave less to be seen of it.
            let lines = letter.text.split(separator: "\n").joined(separator: "\n")
            let high = min(room / picture.aspect, 72)
            let bottom = max(place.top + 7, place.bottom - high - 4)
            let end = body(lines, Place(x: margin, top: place.top, width: room, bottom: bottom))
            draw(picture, Place(x: margin, top: end + 2, width: room, bottom: place.bottom))
        }
    }

    /// Where something is drawn, in millimetres.
    private struct Place {
        var x: Double
        var top: Double
        var width: Double
        var bottom: Double
    }

    /// Draws lines, of which the last stands no deeper than the place.
    /// - Returns: where they end.
    @discardableResult private func body(_ text: String, isPale: Bool = false, _ place: Place) -> Double {
        let pitch = 10.4
        let shown = String(String.UnicodeScalarView(text.unicodeScalars.prefix(3000)))
        let font = TextLayout.Font(family: "Sans", size: 7.4)
        guard !shown.isEmpty, let layout = TextLayout(shown, font, on: self, width: place.width) else {
            return place.top
        }
        use(isPale ? .pale : .text)
        let count = layout.draw(on: self, x: place.x, baseline: place.top + 7, pitch: pitch, limit: place.bottom)
        return place.top + Double(count) * pitch
    }

    /// Draws a picture at the top of a place, with a thin frame.
    private func draw(_ picture: DecodedPicture, _ place: Place, isCentred: Bool = false) {
        // Small ones are not blown up until their pixels show.
        let largest = 0.5 * Double(picture.size.height)
        let high = min(place.bottom - place.top, place.width / picture.aspect, largest)
        let wide = high * picture.aspect
        let x = isCentred ? place.x + (place.width - wide) / 2 : place.x
        let frame = 0.4
        fill(x: x - frame, y: place.top - frame, width: wide + 2 * frame, height: high + 2 * frame, .line)
        fill(x: x, y: place.top, width: wide, height: high, Ink(red: 1, green: 1, blue: 1))
        draw(picture.bitmap, x: x, y: place.top, width: wide, height: high, stretches: true)
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

extension DecodedPicture {
    /// How many times as wide as it is high; of what is as thin as a line, as much as can be drawn.
    fileprivate var aspect: Double { min(50, max(0.02, Double(size.width) / Double(max(1, size.height)))) }
}

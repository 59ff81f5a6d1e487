internal import TextDrawing

extension Page {
    /// Draws the title page of a book that has no cover.
    func draw(_ book: Book) {
        fill(x: 0, y: 0, width: width, height: height, .shade)
        fill(x: 0, y: 0, width: 9, height: height, .accent)
        let (left, room) = (28.0, width - 28 - 20)
        let title = book.title ?? "Untitled"
        // Long titles are set smaller.
        let size = title.count <= 24 ? 22.0 : title.count <= 60 ? 17.0 : 13.0
        let pitch = size * 1.3
        var y = 62.0
        use(.text)
        if let layout = TextLayout(
            title, TextLayout.Font(family: "Serif", size: size, isBold: true), on: self, width: room)
        {
            let lines = layout.draw(on: self, x: left, baseline: y, pitch: pitch, limit: 190)
            y += Double(lines) * pitch
        }
        fill(x: left, y: y - size * 0.5, width: 34, height: 1.2, .accent)
        use(.pale)
        if let author = book.author,
            let layout = TextLayout(author, TextLayout.Font(family: "Serif", size: 11.5), on: self, width: room)
        {
            layout.draw(on: self, x: left, baseline: y + 15, pitch: 15, limit: 270)
        }
    }
}

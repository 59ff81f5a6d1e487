internal import CPango
internal import TextDrawing

/// What is printed on the paper of a notebook.
struct Ruling {
    private let width: Double
    private let height: Double
    private let style: String

    /// Points from line to line, to the first of them, and from the last to the lower edge; to the margin; between lines of
    /// squares, which are half a centimetre.
    private static let pitch = 24.0, header = 80.0, footer = 60.0, margin = 72.0, square = 14.17
    /// Of music: from line to line, from staff to staff, and to either side.
    private static let staffLine = 5.0, staff = 62.5, staffMargin = 50.0
    /// Pixels that lines are apart at least; closer ones would be a grey.
    private static let leastGap = 2.5
    /// Colours of lines to write on, of the one beside them, of all else, and of staves.
    private let line: Ink, side: Ink, grid: Ink, music: Ink

    init(_ page: NotebookPage) {
        (width, height, style) = (page.width, page.height, page.ruling)
        let isDark = page.paper.red + page.paper.green + page.paper.blue < 1.5
        let dim = Ink(red: 0.26, green: 0.26, blue: 0.26), bright = Ink(red: 1, green: 1, blue: 1)
        line = isDark ? dim : Ink(red: 0.25, green: 0.63, blue: 1)
        side = isDark ? Ink(red: 0.13, green: 0, blue: 0.5) : Ink(red: 1, green: 0, blue: 0.5)
        grid = isDark ? dim : Ink(red: 0.74, green: 0.74, blue: 0.74)
        music = isDark ? bright : .text
    }

    /// - Parameter box: pixels of the longer side.
    func draw(on page: Page, box: Int) {
        let scale = Double(box) / max(width, height)
        let hasRoom = Self.square * scale >= Self.leastGap
        cairo_set_line_width(page.context, 0.5)
        switch style {
        case "lined", "ruled":
            if Self.pitch * scale >= Self.leastGap {
                lines(on: page, from: Self.header, to: height - Self.footer, every: Self.pitch, line)
            }
            // The one with a margin is called "lined", the one without "ruled".
            if style == "lined" { stroke(page, Self.margin, 0, Self.margin, height, side) }
        case "staves":
            if Self.staffLine * scale >= 1 { staves(on: page) }
        case "graph" where hasRoom:
            lines(on: page, from: Self.square, to: height, every: Self.square, grid)
            for x in stride(from: Self.square, to: width, by: Self.square) { stroke(page, x, 0, x, height, grid) }
        case "dotted" where hasRoom:
            let places = stride(from: Self.square, to: height, by: Self.square).lazy.flatMap { y in
                stride(from: Self.square, to: self.width, by: Self.square).lazy.map { x in (x, y) }
            }
            dots(on: page, places)
        case "isograph" where hasRoom: triangles(on: page, areDotted: false)
        case "isodotted" where hasRoom: triangles(on: page, areDotted: true)
        default: break
        }
    }

    private func lines(on page: Page, from top: Double, to bottom: Double, every pitch: Double, _ ink: Ink) {
        for y in stride(from: top, to: bottom, by: pitch) { stroke(page, 0, y, width, y, ink) }
    }

    private func staves(on page: Page) {
        let right = width - Self.staffMargin
        guard right > Self.staffMargin else { return }
        for top in stride(from: Self.header, to: height - Self.footer, by: Self.staff) {
            for line in 0..<5 {
                let y = top + Double(line) * Self.staffLine
                stroke(page, Self.staffMargin, y, right, y, music)
            }
            for x in [Self.staffMargin, right] { stroke(page, x, top, x, top + 4 * Self.staffLine, music) }
        }
    }

    private func dots(on page: Page, _ places: some Sequence<(Double, Double)>) {
        cairo_set_line_cap(page.context, CAIRO_LINE_CAP_ROUND)
        page.use(grid)
        cairo_set_line_width(page.context, 1.5)
        for (x, y) in places {
            cairo_move_to(page.context, x, y)
            cairo_line_to(page.context, x, y)
            cairo_stroke(page.context)
        }
    }

    /// Triangles that stand on a side, in the middle of the page: their corners, or their sides and a frame.
    private func triangles(on page: Page, areDotted: Bool) {
        let across = Self.square * 3.0.squareRoot() / 2, down = Self.square / 2
        let columns = ((width - 2 * Self.square) / across).rounded(.down)
        let rows = ((height - 2 * Self.square) / down).rounded(.down)
        guard columns >= 1, rows >= 1 else { return }
        let left = (width - columns * across) / 2, top = (height - rows * down) / 2
        let right = left + columns * across, bottom = top + rows * down
        if areDotted {
            let places = stride(from: 0, through: rows, by: 1).lazy.flatMap { row in
                stride(from: row.truncatingRemainder(dividingBy: 2), through: columns, by: 2).lazy.map { column in
                    (left + column * across, top + row * down)
                }
            }
            return dots(on: page, places)
        }
        cairo_save(page.context)
        cairo_rectangle(page.context, left, top, right - left, bottom - top)
        cairo_clip(page.context)
        for x in stride(from: left, through: right + 0.01, by: across) { stroke(page, x, top, x, bottom, grid) }
        // Down and up from the left side, and from as far above and below it as they fall on the way across.
        let fall = columns * down
        for y in stride(
            from: top - (fall / Self.square).rounded(.up) * Self.square, through: bottom + fall, by: Self.square)
        {
            stroke(page, left, y, right, y + fall, grid)
            stroke(page, left, y, right, y - fall, grid)
        }
        for y in [top, bottom] { stroke(page, left, y, right, y, grid) }
        cairo_restore(page.context)
    }

    private func stroke(_ page: Page, _ x: Double, _ y: Double, _ toX: Double, _ toY: Double, _ ink: Ink) {
        page.use(ink)
        cairo_move_to(page.context, x, y)
        cairo_line_to(page.context, toX, toY)
        cairo_stroke(page.context)
    }
}

internal import CPango
internal import TextDrawing

/// What is printed on the paper of a notebook.
struct Ruling {
    private let width: Double
    private let height: Double
    private let style: String

    /// Points from line to line, to the first of them, and from the last to the lower edge; to the margin; between lines of
    /// squares, which are half a centimetre.
    private static let line = 24.0, header = 80.0, footer = 60.0, margin = 72.0, square = 14.17
    /// Of music: from line to line, from staff to staff, and to either side.
    private static let staffLine = 5.0, staff = 62.5, staffMargin = 50.0
    /// Pixels that lines are apart at least; closer ones would be a grey.
    private static let leastGap = 2.5
    private static let blue = Ink(red: 0.25, green: 0.63, blue: 1)
    private static let red = Ink(red: 1, green: 0, blue: 0.5)
    private static let gray = Ink(red: 0.74, green: 0.74, blue: 0.74)

    init(_ page: NotebookPage) { (width, height, style) = (page.width, page.height, page.ruling) }

    /// - Parameter box: pixels of the longer side.
    func draw(on page: Page, box: Int) {
        let scale = Double(box) / max(width, height)
        switch style {
        case "lined", "ruled":
            if Self.line * scale >= Self.leastGap {
                lines(on: page, from: Self.header, to: height - Self.footer, every: Self.line, Self.blue)
            }
            // The one with a margin is called "lined", the one without "ruled".
            if style == "lined" { stroke(page, Self.margin, 0, Self.margin, height, Self.red) }
        case "graph":
            guard Self.square * scale >= Self.leastGap else { return }
            lines(on: page, from: Self.square, to: height, every: Self.square, Self.gray)
            columns(on: page, Self.gray)
        case "staves":
            if Self.staffLine * scale >= 1 { staves(on: page) }
        case "dotted":
            guard Self.square * scale >= Self.leastGap else { return }
            dots(on: page)
        default: break
        }
    }

    private func lines(on page: Page, from top: Double, to bottom: Double, every pitch: Double, _ ink: Ink) {
        for y in stride(from: top, to: bottom, by: pitch) { stroke(page, 0, y, width, y, ink) }
    }

    private func staves(on page: Page) {
        let right = width - Self.staffMargin, last = height - Self.footer - 4 * Self.staffLine
        guard right > Self.staffMargin else { return }
        for top in stride(from: Self.header, to: last, by: Self.staff) {
            for line in 0..<5 {
                let y = top + Double(line) * Self.staffLine
                stroke(page, Self.staffMargin, y, right, y, .text)
            }
            for x in [Self.staffMargin, right] { stroke(page, x, top, x, top + 4 * Self.staffLine, .text) }
        }
    }

    private func columns(on page: Page, _ ink: Ink) {
        for x in stride(from: Self.square, to: width, by: Self.square) { stroke(page, x, 0, x, height, ink) }
    }

    private func dots(on page: Page) {
        cairo_set_line_cap(page.context, CAIRO_LINE_CAP_ROUND)
        page.use(Self.gray)
        cairo_set_line_width(page.context, 1.5)
        for y in stride(from: Self.square, to: height, by: Self.square) {
            for x in stride(from: Self.square, to: width, by: Self.square) {
                cairo_move_to(page.context, x, y)
                cairo_line_to(page.context, x, y)
            }
            cairo_stroke(page.context)
        }
    }

    private func stroke(_ page: Page, _ x: Double, _ y: Double, _ toX: Double, _ toY: Double, _ ink: Ink) {
        page.use(ink)
        cairo_set_line_width(page.context, 0.5)
        cairo_move_to(page.context, x, y)
        cairo_line_to(page.context, toX, toY)
        cairo_stroke(page.context)
    }
}

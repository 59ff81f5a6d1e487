internal import CPango
internal import MIME
internal import PictureDecoding
internal import TextDrawing
internal import VitrineKit

/// Draws a page of a notebook as Xournal++ shows it.
struct PageDrawing: ~Copyable {
    private let page: Page
    private let decoder: PictureDecoder
    private let box: Int

    /// - Parameter box: the longer side in pixels.
    /// - Throws: `limitExceeded`.
    static func draw(_ page: NotebookPage, box: Int, _ decoder: PictureDecoder) throws(PluginError) -> Bitmap {
        let sheet = try Page(box: box, width: page.width, height: page.height)
        let drawing = PageDrawing(page: sheet, decoder: decoder, box: box)
        drawing.use(page.paper)
        cairo_paint(sheet.context)
        if !page.liesOnAnother { Ruling(page).draw(on: sheet, box: box) }
        for item in page.items {
            switch item {
            case .stroke(let stroke): drawing.draw(stroke)
            case .text(let text): drawing.draw(text)
            case .picture(let picture): drawing.draw(picture)
            }
        }
        return try sheet.finish()
    }

    private func use(_ color: NotebookColor, alpha: Double? = nil) {
        cairo_set_source_rgba(page.context, color.red, color.green, color.blue, alpha ?? color.alpha)
    }

    private func draw(_ stroke: NotebookStroke) {
        let context = page.context
        guard stroke.points.count >= 2 else { return }
        cairo_save(context)
        defer { cairo_restore(context) }
        // What is written below shows through.
        if stroke.tool == .highlighter { cairo_set_operator(context, CAIRO_OPERATOR_MULTIPLY) }
        cairo_set_line_cap(context, CAIRO_LINE_CAP_ROUND)
        cairo_set_line_join(context, CAIRO_LINE_JOIN_ROUND)
        if stroke.filling > 0 {
            trace(stroke.points)
            use(stroke.color, alpha: stroke.filling)
            cairo_fill(context)
        }
        use(stroke.tool == .eraser ? .white : stroke.color)
        if stroke.pressures.isEmpty {
            stroke.dashes.withUnsafeBufferPointer { cairo_set_dash(context, $0.baseAddress, CInt($0.count), 0) }
            cairo_set_line_width(context, stroke.width)
            trace(stroke.points)
            cairo_stroke(context)
        } else {
            drawPieces(of: stroke)
        }
    }

    /// A line whose pieces differ in width.
    private func drawPieces(of stroke: NotebookStroke) {
        for (number, at) in stride(from: 0, to: stroke.points.count - 3, by: 2).enumerated() {
            let width = number < stroke.pressures.count ? stroke.pressures[number] : stroke.width
            guard width > 0 else { continue }
            cairo_set_line_width(page.context, width)
            trace(Array(stroke.points[at..<at + 4]))
            cairo_stroke(page.context)
        }
    }

    private func trace(_ points: [Double]) {
        cairo_move_to(page.context, points[0], points[1])
        // A point is a line to itself, with round ends.
        if points.count < 4 { cairo_line_to(page.context, points[0], points[1]) }
        for at in stride(from: 2, to: points.count - 1, by: 2) {
            cairo_line_to(page.context, points[at], points[at + 1])
        }
    }

    /// From the top of a line of letters to their baseline, and from line to line, in their size: those of the usual fonts.
    private static let ascent = 0.93, pitch = 1.17
    private static let styles: Set = ["Bold", "Italic", "Oblique", "Regular", "Medium", "Light", "Semi-Bold", "Book"]

    private func draw(_ text: NotebookText) {
        let words = text.font.split(separator: " ").map(String.init)
        let family = words.filter { !Self.styles.contains($0) }.joined(separator: " ")
        let font = TextLayout.Font(
            family: family.isEmpty ? "Sans" : family, size: text.size, isBold: words.contains("Bold"))
        use(text.color)
        for (number, line) in text.text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
            let top = text.y + Double(number) * text.size * Self.pitch
            guard top < page.height else { break }
            guard !line.isEmpty, let layout = TextLayout(Facts.line(String(line)) ?? "", font, on: page) else {
                continue
            }
            layout.draw(on: page, x: text.x, baseline: top + text.size * Self.ascent, pitch: text.size)
        }
    }

    private func draw(_ picture: NotebookPicture) {
        let (width, height) = (picture.right - picture.left, picture.bottom - picture.top)
        // Formulas of TeX are PDF in newer files, which is not decoded.
        let side = Int((max(width, height) / max(page.width, page.height) * Double(box)).rounded(.up))
        let bytes = TransferCoding.base64.decode(picture.letters)
        guard let decoded = try? decoder.picture(bytes, box: min(max(side, 1), box)).bitmap else { return }
        page.draw(decoded, x: picture.left, y: picture.top, width: width, height: height)
    }
}

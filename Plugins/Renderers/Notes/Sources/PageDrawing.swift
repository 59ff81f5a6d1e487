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
    /// - Throws: `corrupt`, `limitExceeded`.
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
        return try sheet.finish("the page")
    }

    private func use(_ color: NotebookColor, alpha: Double? = nil) {
        cairo_set_source_rgba(page.context, color.red, color.green, color.blue, alpha ?? color.alpha)
    }

    // MARK: Strokes

    private func draw(_ stroke: NotebookStroke) {
        let context = page.context
        guard stroke.points.count >= 2 else { return }
        cairo_save(context)
        defer { cairo_restore(context) }
        cairo_set_line_cap(context, CAIRO_LINE_CAP_ROUND)
        cairo_set_line_join(context, CAIRO_LINE_JOIN_ROUND)
        guard stroke.color.alpha < 1 else { return drawInk(stroke) }
        // What is written below a marker shows through.
        if stroke.tool == .highlighter { cairo_set_operator(context, CAIRO_OPERATOR_MULTIPLY) }
        // A straight line does not cross itself.
        guard stroke.points.count > 4 || stroke.filling > 0 else { return drawInk(stroke, alpha: stroke.color.alpha) }
        // Where another one does, or lies on what it fills, it is as pale as elsewhere.
        clip(to: stroke)
        cairo_push_group(context)
        cairo_set_operator(context, CAIRO_OPERATOR_OVER)
        drawInk(stroke)
        cairo_pop_group_to_source(context)
        cairo_paint_with_alpha(context, stroke.color.alpha)
    }

    /// Draws no more than what lies about a stroke from now on.
    private func clip(to stroke: NotebookStroke) {
        let across = stride(from: 0, to: stroke.points.count - 1, by: 2).map { stroke.points[$0] }
        let down = stride(from: 1, to: stroke.points.count, by: 2).map { stroke.points[$0] }
        guard let left = across.min(), let right = across.max(), let top = down.min(), let bottom = down.max() else {
            return
        }
        let half = (stroke.pressures + [stroke.width]).max() ?? stroke.width
        cairo_rectangle(page.context, left - half, top - half, right - left + 2 * half, bottom - top + 2 * half)
        cairo_clip(page.context)
    }

    /// A stroke as if it let nothing through, or so much; what it fills may be paler than the line.
    private func drawInk(_ stroke: NotebookStroke, alpha: Double = 1) {
        let context = page.context
        if stroke.filling > 0 {
            trace(stroke.points[...])
            // Of a marker, the line and what it fills are one.
            use(stroke.color, alpha: stroke.tool == .highlighter ? 1 : stroke.filling)
            cairo_fill(context)
        }
        use(stroke.tool == .eraser ? .white : stroke.color, alpha: alpha)
        if stroke.pressures.isEmpty {
            stroke.dashes.withUnsafeBufferPointer { cairo_set_dash(context, $0.baseAddress, CInt($0.count), 0) }
            cairo_set_line_width(context, stroke.width)
            drawLine(stroke.points, isDashed: !stroke.dashes.isEmpty)
        } else {
            drawPieces(of: stroke)
        }
    }

    /// Numbers of a line that are drawn at once: one that crosses itself very often takes cairo more than its length.
    private static let pieceLength = 200

    private func drawLine(_ points: [Double], isDashed: Bool) {
        // In pieces, dashes would begin anew.
        let step = isDashed ? points.count : Self.pieceLength
        var start = 0
        repeat {
            let end = min(start + step + 2, points.count)
            trace(points[start..<end])
            cairo_stroke(page.context)
            start += step
        } while start + 2 < points.count
    }

    /// A line whose pieces differ in width.
    private func drawPieces(of stroke: NotebookStroke) {
        for (number, at) in stride(from: 0, to: stroke.points.count - 3, by: 2).enumerated() {
            let width = number < stroke.pressures.count ? stroke.pressures[number] : stroke.width
            guard width > 0 else { continue }
            cairo_set_line_width(page.context, width)
            trace(stroke.points[at..<at + 4])
            cairo_stroke(page.context)
        }
    }

    private func trace(_ points: ArraySlice<Double>) {
        let first = points.startIndex
        cairo_move_to(page.context, points[first], points[first + 1])
        // A point is a line to itself, with round ends.
        if points.count < 4 { cairo_line_to(page.context, points[first], points[first + 1]) }
        for at in stride(from: first + 2, to: points.endIndex - 1, by: 2) {
            cairo_line_to(page.context, points[at], points[at + 1])
        }
    }

    // MARK: Texts

    /// Letters of a line, and of all lines together, that are drawn at most.
    private static let longestLine = 1000, longestText = 20_000

    private func draw(_ text: NotebookText) {
        guard text.y < page.height else { return }
        // Lines are hardly closer than half their size: no more of them reach the page.
        let mostLines = Int(min((page.height - text.y) / text.size * 2, Double(Self.longestText))) + 1
        let lines = text.text.split(separator: "\n", maxSplits: mostLines, omittingEmptySubsequences: false)
        // What lies above the page is not laid out.
        guard text.y + Double(lines.count) * text.size * 3 > 0 else { return }
        var room = Self.longestText
        let shown = lines.prefix(mostLines).map { line in
            let letters = line.unicodeScalars.prefix(min(Self.longestLine, room))
            room -= letters.count
            return String(String.UnicodeScalarView(letters.filter { $0.value >= 0x20 || $0 == "\t" }))
        }.joined(separator: "\n")
        guard let layout = pango_cairo_create_layout(page.context) else { return }
        defer { g_object_unref(UnsafeMutableRawPointer(layout)) }
        pango_context_set_round_glyph_positions(pango_layout_get_context(layout), 0)
        let font = pango_font_description_from_string(text.font)
        pango_font_description_set_absolute_size(font, text.size * Double(PANGO_SCALE))
        pango_layout_set_font_description(layout, font)
        pango_font_description_free(font)
        pango_layout_set_text(layout, shown, CInt(clamping: shown.utf8.count))
        use(text.color)
        cairo_move_to(page.context, text.x, text.y)
        pango_cairo_show_layout(page.context, layout)
    }

    // MARK: Pictures

    private func draw(_ picture: NotebookPicture) {
        let (width, height) = (picture.right - picture.left, picture.bottom - picture.top)
        let part = min(1, max(width, height) / max(page.width, page.height))
        // Formulas of TeX are PDF in newer files, which is not decoded.
        let bytes = TransferCoding.base64.decode(picture.letters)
        guard let decoded = try? decoder.picture(bytes, box: max(1, Int(part * Double(box)))).bitmap else { return }
        page.draw(decoded, x: picture.left, y: picture.top, width: width, height: height, stretches: true)
    }
}

internal import CLitehtml
internal import CPango
internal import TextDrawing

/// A font of a page, and what was measured in it.
struct CanvasFont {
    var layout: OpaquePointer
    var widths: [String: CInt] = [:]
    var metrics = clitehtml_metrics()
    var thickness = 1.0
    var isUnderlined = false, isStruck = false, isOverlined = false
}

/// A word where litehtml puts it.
struct CanvasWord {
    var text: String
    var font: UInt
    var colour: clitehtml_colour
    var line: clitehtml_box
}

extension Canvas {
    /// Fonts that one page may have.
    private static let mostFonts = 256

    /// Makes a font.
    /// - Returns: its number; one beyond the last that there may be is the first one again.
    func font(_ wanted: clitehtml_font) -> (UInt, clitehtml_metrics) {
        guard fonts.count < Self.mostFonts, let layout = pango_cairo_create_layout(page.context) else {
            return (0, fonts.first?.metrics ?? clitehtml_metrics())
        }
        let context = pango_layout_get_context(layout)
        pango_context_set_round_glyph_positions(context, 0)
        if source.isMirrored { pango_context_set_base_dir(context, PANGO_DIRECTION_RTL) }
        let description = pango_font_description_new()
        defer { pango_font_description_free(description) }
        let families = wanted.families.map { String(cString: $0) } ?? ""
        pango_font_description_set_family(description, families.filter { $0 != "\"" && $0 != "'" })
        // The least and the most that a letter can be seen by.
        pango_font_description_set_absolute_size(
            description, Double(min(max(wanted.size, 1), 512)) * Double(PANGO_SCALE))
        pango_font_description_set_weight(description, PangoWeight(UInt32(min(max(wanted.weight, 100), 900))))
        if wanted.is_italic { pango_font_description_set_style(description, PANGO_STYLE_ITALIC) }
        pango_layout_set_font_description(layout, description)
        pango_layout_set_single_paragraph_mode(layout, 1)
        var font = CanvasFont(layout: layout)
        (font.isUnderlined, font.isStruck, font.isOverlined) = (
            wanted.is_underlined, wanted.is_struck, wanted.is_overlined
        )
        if let found = pango_context_get_metrics(context, description, nil) {
            font.thickness = max(1, Double(pango_font_metrics_get_underline_thickness(found)) / Double(PANGO_SCALE))
            pango_font_metrics_unref(found)
        }
        pango_layout_set_text(layout, "x", 1)
        var (ink, line) = (PangoRectangle(), PangoRectangle())
        pango_layout_get_pixel_extents(layout, &ink, &line)
        font.metrics.x_height = ink.height
        // Of the font itself: the metrics of a context are the largest of all fonts that may be needed.
        font.metrics.height = line.height
        font.metrics.ascent = (pango_layout_get_baseline(layout) + PANGO_SCALE / 2) / PANGO_SCALE
        font.metrics.descent = line.height - font.metrics.ascent
        fonts.append(font)
        return (UInt(fonts.count - 1), font.metrics)
    }

    /// How wide a text is.
    func width(_ text: String, _ number: UInt) -> CInt {
        guard number < fonts.count else { return 0 }
        let index = Int(number)
        if let known = fonts[index].widths[text] { return known }
        let layout = fonts[index].layout
        pango_layout_set_text(layout, text, CInt(text.utf8.count))
        var extents = PangoRectangle()
        pango_layout_get_extents(layout, nil, &extents)
        let width = CInt((Int(extents.width) + Int(PANGO_SCALE) / 2) / Int(PANGO_SCALE))
        fonts[index].widths[text] = width
        return width
    }

    /// Draws a word of a line, or lets it wait: words that run against the page are put from left to right by litehtml like all
    /// others, and have to be read the other way, up to the next one that runs with it (Unicode Standard Annex 9, rule L2).
    func take(_ word: CanvasWord) {
        let run = WritingDirection.runs(word.text)
        let isAgainst = run == (source.isMirrored ? .leftToRight : .rightToLeft)
        if let last = waiting.last, !isAgainst && run != nil || !last.isBefore(word) || waiting.count > 1000 {
            drawWaiting()
        }
        if isAgainst || !waiting.isEmpty { waiting.append(word) } else { draw(word) }
    }

    /// Draws the words that wait, in the order in which they are read.
    func drawWaiting() {
        guard !waiting.isEmpty else { return }
        var words = waiting
        waiting = []
        // What ends the line, or stands before a word that runs with the page, runs with it, too, but for numbers (rules W7 and I1).
        var rest: [CanvasWord] = []
        while let last = words.last, WritingDirection.runs(last.text) == nil, !last.text.contains(where: \.isNumber) {
            rest.append(words.removeLast())
        }
        let (start, end) = (words.first?.line.x ?? 0, words.last.map { $0.line.x &+ $0.line.width } ?? 0)
        for index in words.indices {
            words[index].line.x = start &+ (end &- (words[index].line.x &+ words[index].line.width))
            draw(words[index])
        }
        for word in rest.reversed() { draw(word) }
    }

    private func draw(_ word: CanvasWord) {
        let (text, number, colour, line) = (word.text, word.font, word.colour, shown(word.line))
        guard number < fonts.count, line.isNear else { return }
        if !text.allSatisfy(\.isWhitespace) { hasMarks = true }
        let font = fonts[Int(number)]
        let baseline = Double(line.y) + Double(line.height) - Double(font.metrics.descent)
        use(colour)
        pango_layout_set_text(font.layout, text, CInt(text.utf8.count))
        cairo_move_to(page.context, Double(line.x), baseline)
        pango_cairo_show_layout_line(page.context, pango_layout_get_line_readonly(font.layout, 0))
        func rule(_ y: Double) {
            cairo_rectangle(page.context, Double(line.x), y, Double(line.width), font.thickness)
            cairo_fill(page.context)
        }
        if font.isUnderlined { rule(baseline + font.thickness) }
        if font.isStruck { rule(baseline - Double(font.metrics.x_height) / 2) }
        if font.isOverlined { rule(baseline - Double(font.metrics.ascent)) }
    }
}

extension CanvasWord {
    /// Blanks of a line are no wider than this, in pixels: columns of tables are further apart. Those of large letters are wider.
    private var widestGap: Int { max(24, Int(line.height) * 2 / 3) }

    /// Whether another one follows in the same line.
    fileprivate func isBefore(_ word: CanvasWord) -> Bool {
        let (end, next) = (line.x &+ line.width, word.line.x)
        let (bottom, nextBottom) = (line.y &+ line.height, word.line.y &+ word.line.height)
        return abs(bottom.distance(to: nextBottom)) <= 4 && next >= end &- 1
            && next.distance(to: end) >= -widestGap
    }
}

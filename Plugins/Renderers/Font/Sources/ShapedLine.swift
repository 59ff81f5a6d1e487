internal import CFont

/// Letters as glyphs side by side, in parts of the type's size; shaped by HarfBuzz.
struct ShapedLine {
    private let glyphs: [cairo_glyph_t]
    /// Of each glyph; `nil` for that of the text.
    private let colors: [FT_Color?]

    /// The most letters of a line, and the most glyphs that they are made of.
    private static let most = 64
    private static let mostGlyphs = 1024

    /// Shapes letters.
    /// - Parameters:
    ///   - letters: Unicode's numbers.
    ///   - font: for HarfBuzz.
    ///   - em: how many of HarfBuzz's units are as long as the type's size.
    ///   - layers: the colours of the font, if it has some.
    init(_ letters: [UInt32], font: OpaquePointer, em: Double, _ layers: ColorLayers? = nil) {
        let buffer = hb_buffer_create()
        defer { hb_buffer_destroy(buffer) }
        hb_buffer_add_codepoints(buffer, letters, CInt(letters.count), 0, CInt(letters.count))
        hb_buffer_guess_segment_properties(buffer)
        hb_shape(font, buffer, nil, 0)
        var count: CUnsignedInt = 0
        let infos = hb_buffer_get_glyph_infos(buffer, &count)
        let positions = hb_buffer_get_glyph_positions(buffer, nil)
        var glyphs: [cairo_glyph_t] = []
        guard let infos, let positions else {
            self.init([], nil)
            return
        }
        var (x, y) = (0.0, 0.0)
        for index in 0..<min(Int(count), Self.most) {
            let place = positions[index]
            glyphs.append(
                cairo_glyph_t(
                    index: CUnsignedLong(infos[index].codepoint), x: x + Double(place.x_offset) / em,
                    y: y - Double(place.y_offset) / em))
            x += Double(place.x_advance) / em
            y -= Double(place.y_advance) / em
        }
        self.init(glyphs, layers)
    }

    /// Glyphs by their numbers, for fonts that do not say which letters they are.
    init(glyphs numbers: Range<Int>, _ layers: ColorLayers? = nil) {
        self.init(
            numbers.enumerated().map { cairo_glyph_t(index: CUnsignedLong($1), x: Double($0) * 1.1, y: 0) }, layers)
    }

    /// Puts what letters are made of in their place.
    private init(_ letters: [cairo_glyph_t], _ layers: ColorLayers?) {
        var (glyphs, colors): ([cairo_glyph_t], [FT_Color?]) = ([], [])
        for letter in letters where glyphs.count < Self.mostGlyphs {
            let parts = layers?.layers(of: letter.index) ?? []
            for part in parts.isEmpty ? [(letter.index, nil)] : parts {
                glyphs.append(cairo_glyph_t(index: part.glyph, x: letter.x, y: letter.y))
                colors.append(part.color)
            }
        }
        (self.glyphs, self.colors) = (glyphs, colors)
    }

    /// The black box at a size of 1; `nil` when nothing would be seen.
    func box(_ context: OpaquePointer?) -> cairo_text_extents_t? {
        var box = cairo_text_extents_t()
        // Measured large, since cairo rounds.
        cairo_set_font_size(context, Self.measure)
        cairo_glyph_extents(context, placed(x: 0, y: 0, size: Self.measure), CInt(glyphs.count), &box)
        box.width /= Self.measure
        box.height /= Self.measure
        box.x_bearing /= Self.measure
        box.y_bearing /= Self.measure
        let numbers = [box.width, box.height, box.x_bearing, box.y_bearing]
        guard numbers.allSatisfy({ $0.isFinite && abs($0) < 1000 }), box.width > 0.001, box.height > 0.001 else {
            return nil
        }
        return box
    }

    private static let measure = 100.0

    /// Draws the glyphs.
    func draw(_ context: OpaquePointer?, x: Double, y: Double, size: Double) {
        cairo_set_font_size(context, size)
        let glyphs = placed(x: x, y: y, size: size)
        guard colors.contains(where: { $0 != nil }) else {
            cairo_show_glyphs(context, glyphs, CInt(glyphs.count))
            return
        }
        let text = cairo_pattern_reference(cairo_get_source(context))
        for (glyph, color) in zip(glyphs, colors) {
            if let color {
                let parts = [color.red, color.green, color.blue, color.alpha].map { Double($0) / 255 }
                cairo_set_source_rgba(context, parts[0], parts[1], parts[2], parts[3])
            } else {
                cairo_set_source(context, text)
            }
            cairo_show_glyphs(context, [glyph], 1)
        }
        cairo_set_source(context, text)
        cairo_pattern_destroy(text)
    }

    private func placed(x: Double, y: Double, size: Double) -> [cairo_glyph_t] {
        glyphs.map { cairo_glyph_t(index: $0.index, x: x + $0.x * size, y: y + $0.y * size) }
    }
}

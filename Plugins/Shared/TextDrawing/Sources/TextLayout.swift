internal import CPango

/// Letters that are laid out in lines; the one owner of pango's object.
package struct TextLayout: ~Copyable {
    /// The type that a text is set in.
    package struct Font {
        /// A family that fontconfig knows, such as `Sans`.
        package var family: String
        /// In millimetres of the page.
        package var size: Double
        /// Whether it is bold rather than regular.
        package var isBold: Bool

        /// Creates a description.
        package init(family: String, size: Double, isBold: Bool = false) {
            self.family = family
            self.size = size
            self.isBold = isBold
        }
    }

    private let layout: OpaquePointer
    private let struck: [Range<Int>]
    private let size: Double

    /// Lays a text out.
    /// - Parameters:
    ///   - text: without control characters.
    ///   - font: its type.
    ///   - page: where it will be drawn.
    ///   - width: in millimetres, at which lines are broken; `nil` for never.
    ///   - lines: how many there may be, the last of which is cut with an ellipsis; `nil` for any number.
    ///   - keepsLines: whether each line of the text is one of its own, cut with an ellipsis where it is too wide, rather than
    ///     broken. Then `lines` counts for nothing.
    ///   - bold: what is bold all the same, in bytes of the text's UTF-8, from the first to the last.
    ///   - struck: what has a line through it.
    package init?(
        _ text: String, _ font: Font, on page: Page, width: Double? = nil, lines: Int? = nil, keepsLines: Bool = false,
        bold: [Range<Int>] = [], struck: [Range<Int>] = []
    ) {
        guard let layout = pango_cairo_create_layout(page.context) else { return nil }
        self.layout = layout
        self.struck = struck
        size = font.size
        // Positions between pixels, or lines would not be alike at every size.
        pango_context_set_round_glyph_positions(pango_layout_get_context(layout), 0)
        let description = pango_font_description_new()
        pango_font_description_set_family(description, font.family)
        pango_font_description_set_weight(description, font.isBold ? PANGO_WEIGHT_BOLD : PANGO_WEIGHT_NORMAL)
        pango_font_description_set_absolute_size(description, font.size * Double(PANGO_SCALE))
        pango_layout_set_font_description(layout, description)
        pango_font_description_free(description)
        if let width {
            pango_layout_set_width(layout, CInt(width * Double(PANGO_SCALE)))
            pango_layout_set_wrap(layout, PANGO_WRAP_WORD_CHAR)
            if keepsLines {
                pango_layout_set_ellipsize(layout, PANGO_ELLIPSIZE_END)
                pango_layout_set_height(layout, -1)
            } else if let lines {
                pango_layout_set_ellipsize(layout, PANGO_ELLIPSIZE_END)
                // pango takes a negative height for lines of each paragraph; more than one of these is not wanted.
                pango_layout_set_height(layout, CInt(-lines))
                pango_layout_set_single_paragraph_mode(layout, 1)
            }
        } else {
            pango_layout_set_single_paragraph_mode(layout, 1)
        }
        pango_layout_set_text(layout, text, CInt(text.utf8.count))
        if !bold.isEmpty { Self.embolden(layout, bold) }
    }

    private static func embolden(_ layout: OpaquePointer, _ ranges: [Range<Int>]) {
        let attributes = pango_attr_list_new()
        for range in ranges {
            guard let weight = pango_attr_weight_new(PANGO_WEIGHT_BOLD) else { continue }
            weight.pointee.start_index = guint(clamping: range.lowerBound)
            weight.pointee.end_index = guint(clamping: range.upperBound)
            // Takes it over.
            pango_attr_list_insert(attributes, weight)
        }
        pango_layout_set_attributes(layout, attributes)
        pango_attr_list_unref(attributes)
    }

    deinit { g_object_unref(UnsafeMutableRawPointer(layout)) }

    /// The width of the longest line, in millimetres.
    package var width: Double {
        var extents = PangoRectangle()
        pango_layout_get_extents(layout, nil, &extents)
        return Double(extents.width) / Double(PANGO_SCALE)
    }

    /// Lines after breaking.
    package var lineCount: Int { Int(pango_layout_get_line_count(layout)) }

    /// Whether the text begins in a script that runs from right to left.
    package var isRightToLeft: Bool { pango_layout_get_direction(layout, 0) == PANGO_DIRECTION_RTL }

    /// Draws the lines at a fixed distance, whatever fonts they are made of.
    /// - Parameters:
    ///   - x: the left edge.
    ///   - baseline: of the first line.
    ///   - pitch: from one baseline to the next.
    ///   - limit: no baseline lies below this.
    /// - Returns: the lines that were drawn.
    @discardableResult package func draw(
        on page: Page, x: Double, baseline: Double, pitch: Double, limit: Double = .infinity
    ) -> Int {
        let iterator = pango_layout_get_iter(layout)
        defer { pango_layout_iter_free(iterator) }
        var count = 0
        repeat {
            let y = baseline + Double(count) * pitch
            if y > limit { break }
            var extents = PangoRectangle()
            pango_layout_iter_get_line_extents(iterator, nil, &extents)
            cairo_move_to(page.context, x + Double(extents.x) / Double(PANGO_SCALE), y)
            let line = pango_layout_iter_get_line_readonly(iterator)
            pango_cairo_show_layout_line(page.context, line)
            if !struck.isEmpty, let line { strike(line, on: page, x: x, baseline: y) }
            count += 1
        } while pango_layout_iter_next_line(iterator) != 0
        return count
    }

    /// Draws lines through words. pango's own have whole units, of which there are few in a letter.
    private func strike(_ line: UnsafeMutablePointer<PangoLayoutLine>, on page: Page, x: Double, baseline: Double) {
        let start = Int(line.pointee.start_index)
        let all = start..<start + max(0, Int(line.pointee.length))
        for range in struck where range.overlaps(all) {
            let part = range.clamped(to: all)
            var (edges, count): (UnsafeMutablePointer<CInt>?, CInt) = (nil, 0)
            pango_layout_line_get_x_ranges(
                line, CInt(clamping: part.lowerBound), CInt(clamping: part.upperBound), &edges, &count)
            defer { g_free(edges) }
            guard let edges else { continue }
            for index in 0..<Int(count) {
                let left = Double(edges[2 * index]) / Double(PANGO_SCALE)
                let right = Double(edges[2 * index + 1]) / Double(PANGO_SCALE)
                cairo_rectangle(page.context, x + left, baseline - 0.3 * size, right - left, 0.07 * size)
            }
            cairo_fill(page.context)
        }
    }
}

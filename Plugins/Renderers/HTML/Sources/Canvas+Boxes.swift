internal import CLitehtml
internal import CPango
internal import TextDrawing

extension Canvas {
    /// Fills a box.
    func fill(_ box: clitehtml_box, _ clip: clitehtml_box, _ corners: clitehtml_corners, _ colour: clitehtml_colour) {
        drawWaiting()
        let (box, clip, corners) = (shown(box), shown(clip), shown(corners))
        guard box.isNear else { return }
        cairo_save(page.context)
        defer { cairo_restore(page.context) }
        path(clip, clitehtml_corners())
        cairo_clip(page.context)
        use(colour)
        path(box, corners)
        cairo_fill(page.context)
    }

    /// Draws the mark of a list.
    func disc(_ box: clitehtml_box, _ colour: clitehtml_colour, isFilled: Bool) {
        drawWaiting()
        let box = shown(box)
        let radius = Double(min(box.width, box.height)) / 2
        guard radius > 0, box.isNear else { return }
        use(colour)
        cairo_new_path(page.context)
        cairo_arc(
            page.context, Double(box.x) + radius, Double(box.y) + radius, isFilled ? radius : radius - 0.5, 0, 2 * .pi)
        if isFilled {
            cairo_fill(page.context)
        } else {
            cairo_set_line_width(page.context, 1)
            cairo_stroke(page.context)
        }
    }

    /// Draws what of a box's border is wider than nothing: left, top, right and bottom.
    func border(_ box: clitehtml_box, _ corners: clitehtml_corners, _ edges: [clitehtml_edge]) {
        drawWaiting()
        let (box, corners) = (shown(box), shown(corners))
        let edges = source.isMirrored && edges.count == 4 ? [edges[2], edges[1], edges[0], edges[3]] : edges
        let drawn = edges.map { $0.line == clitehtml_line_none ? 0 : Double($0.width) }
        guard box.isNear, drawn.contains(where: { $0 > 0 }) else { return }
        let (left, top) = (Double(box.x), Double(box.y))
        let (right, bottom) = (left + Double(box.width), top + Double(box.height))
        cairo_save(page.context)
        defer { cairo_restore(page.context) }
        if let first = edges.first, first.line == clitehtml_line_solid, edges.allSatisfy({ $0.isEqual(to: first) }) {
            use(first.colour)
            path(box, corners)
            path(box.inset(by: first.width), corners.inset(by: first.width))
            cairo_set_fill_rule(page.context, CAIRO_FILL_RULE_EVEN_ODD)
            cairo_fill(page.context)
            return
        }
        // Edges meet on the diagonals of the corners.
        let outer = [(left, bottom), (left, top), (right, top), (right, bottom)]
        let inner = [
            (left + drawn[0], bottom - drawn[3]), (left + drawn[0], top + drawn[1]), (right - drawn[2], top + drawn[1]),
            (right - drawn[2], bottom - drawn[3]),
        ]
        for (index, edge) in edges.enumerated() where drawn[index] > 0 {
            let next = (index + 1) % 4
            use(edge.colour)
            cairo_save(page.context)
            polygon([outer[index], outer[next], inner[next], inner[index]])
            if edge.line == clitehtml_line_solid {
                cairo_fill(page.context)
            } else {
                cairo_clip(page.context)
                let width = drawn[index]
                let dash = edge.line == clitehtml_line_dotted ? width : 3 * width
                cairo_set_line_width(page.context, 2 * width)
                cairo_set_dash(page.context, [dash, dash], 2, 0)
                cairo_new_path(page.context)
                // Of an edge that is miles long, no more dashes than can be seen.
                for (x, y) in [outer[index], outer[next]] {
                    cairo_line_to(page.context, min(max(x, -width), Window.width), min(max(y, -width), Window.height))
                }
                cairo_stroke(page.context)
            }
            cairo_restore(page.context)
        }
    }

    /// Draws only in a box from now on.
    func clip(_ box: clitehtml_box, _ corners: clitehtml_corners) {
        drawWaiting()
        cairo_save(page.context)
        path(shown(box), shown(corners))
        cairo_clip(page.context)
    }

    /// Draws as before the box.
    func unclip() {
        drawWaiting()
        cairo_restore(page.context)
    }

    /// Where a box is seen: of a page from right to left the reflection of where it was laid out.
    func shown(_ box: clitehtml_box) -> clitehtml_box {
        guard source.isMirrored else { return box }
        return clitehtml_box(
            x: CInt(Window.width) &- box.x &- box.width, y: box.y, width: box.width, height: box.height)
    }

    private func shown(_ corners: clitehtml_corners) -> clitehtml_corners {
        guard source.isMirrored else { return corners }
        let (across, down) = (corners.across, corners.down)
        return clitehtml_corners(
            across: (across.1, across.0, across.3, across.2), down: (down.1, down.0, down.3, down.2))
    }

    func use(_ colour: clitehtml_colour) {
        cairo_set_source_rgba(
            page.context, Double(colour.red) / 255, Double(colour.green) / 255, Double(colour.blue) / 255,
            Double(colour.alpha) / 255)
    }

    private func polygon(_ points: [(Double, Double)]) {
        cairo_new_path(page.context)
        for (x, y) in points { cairo_line_to(page.context, x, y) }
        cairo_close_path(page.context)
    }

    /// Adds a rectangle with round corners to the path.
    func path(_ box: clitehtml_box, _ corners: clitehtml_corners) {
        let (left, top) = (Double(box.x), Double(box.y))
        let (right, bottom) = (left + Double(max(0, box.width)), top + Double(max(0, box.height)))
        let round = corners.radii.map { min($0, (right - left) / 2, (bottom - top) / 2) }
        guard round.contains(where: { $0 > 0 }) else {
            cairo_rectangle(page.context, left, top, right - left, bottom - top)
            return
        }
        cairo_new_sub_path(page.context)
        let centres = [
            (left + round[0], top + round[0]), (right - round[1], top + round[1]),
            (right - round[2], bottom - round[2]),
            (left + round[3], bottom - round[3]),
        ]
        for (index, centre) in centres.enumerated() {
            let start = Double.pi * (1 + Double(index) / 2)
            cairo_arc(page.context, centre.0, centre.1, max(0, round[index]), start, start + .pi / 2)
        }
        cairo_close_path(page.context)
    }
}

internal import CPango
internal import Glibc
internal import TextDrawing

extension MapSheet {
    /// Draws everything: surfaces below lines, lines below places.
    func drawShapes() {
        let context = page.context
        cairo_save(context)
        cairo_rectangle(context, 0, 0, side, bottom)
        cairo_clip(context)
        cairo_set_line_join(context, CAIRO_LINE_JOIN_ROUND)
        cairo_set_line_cap(context, CAIRO_LINE_CAP_ROUND)
        drawSurfaces()
        drawLines()
        drawPlaces()
        drawEnds()
        cairo_restore(context)
    }

    private func drawSurfaces() {
        let shapes = features.shapes
        cairo_set_fill_rule(page.context, CAIRO_FILL_RULE_EVEN_ODD)
        var index = 0
        while index < shapes.count {
            guard shapes[index].kind.isEdge else {
                index += 1
                continue
            }
            let style = features.styles[shapes[index].style]
            repeat {
                trace(shapes[index], index, isClosed: true)
                index += 1
            } while index < shapes.count && shapes[index].kind == .hole
            let fill = style.fill.map(MapInk.ink) ?? style.line.flatMap { $0.isClear ? nil : MapInk.ink($0) }
            if style.fill?.isClear != true {
                let ink = fill ?? MapInk.surface
                cairo_set_source_rgba(page.context, ink.red, ink.green, ink.blue, 0.3)
                cairo_fill_preserve(page.context)
            }
            page.use(style.line.flatMap { $0.isClear ? nil : MapInk.ink($0) } ?? fill ?? MapInk.surface)
            cairo_set_line_width(page.context, max(min(stroke, 0.6), stroke * 0.3))
            cairo_stroke(page.context)
        }
    }

    private func drawLines() {
        let lines = features.shapes.filter { $0.kind.isLine }
        let inks = lineInks(lines)
        let hasTracks = lines.contains { $0.kind == .track }
        var index = 0
        while index < lines.count {
            let first = lines[index], ink = inks[index]
            // Parts of one track are one path.
            while index < lines.count, lines[index].group == first.group, lines[index].style == first.style {
                trace(lines[index], index, isClosed: false)
                index += 1
            }
            if stroke > Self.thinnestEdged {
                page.use(ink.isPale ? MapInk.darkEdge : MapInk.edge)
                cairo_set_line_width(page.context, stroke * 1.7)
                cairo_stroke_preserve(page.context)
            }
            // What is only planned is dashed beside what was gone.
            if first.kind == .route, hasTracks {
                cairo_set_dash(page.context, [stroke * 1.6, stroke * 2], 2, 0)
            }
            page.use(ink)
            cairo_set_line_width(page.context, stroke)
            cairo_stroke(page.context)
            cairo_set_dash(page.context, nil, 0, 0)
        }
    }

    /// A stroke so thin that an edge would hide others.
    private static let thinnestEdged = 1.2

    /// The colours of lines: those that the file asks for; else of a few tracks each its own.
    private func lineInks(_ lines: [Shape]) -> [Ink] {
        var numbers: [Int: Int] = [:]
        for kind in [Shape.Kind.track, .route] {
            for line in lines where line.kind == kind && numbers[line.group] == nil {
                numbers[line.group] = numbers.count
            }
        }
        let isMany = numbers.count > MapInk.mostTracks
        return lines.map { line in
            if let color = features.styles[line.style].line, !color.isClear { return MapInk.ink(color) }
            return isMany ? MapInk.tracks[0] : MapInk.tracks[(numbers[line.group] ?? 0) % MapInk.tracks.count]
        }
    }

    private func drawPlaces() {
        let places = features.shapes.filter { $0.kind == .point }
        let radius = stroke * 1.15 * min(1, max(0.4, (300 / Double(max(1, places.count))).squareRoot()))
        for shape in places {
            let color = features.styles[shape.style].point
            let ink = color.flatMap { $0.isClear ? nil : MapInk.ink($0) } ?? MapInk.place
            for position in shape.positions {
                let place = place(position)
                dot(place, radius * 1.5, ink.isPale ? MapInk.darkEdge : MapInk.edge)
                dot(place, radius, ink)
            }
        }
    }

    /// Marks where it began and where it ended: of tracks, else of routes, else of a line that is alone.
    private func drawEnds() {
        let lines = features.shapes.filter { $0.kind.isLine }
        let kind =
            lines.contains { $0.kind == .track }
            ? Shape.Kind.track : lines.contains { $0.kind == .route } ? .route : .line
        let marked = lines.filter { $0.kind == kind }
        guard kind != .line || marked.count == 1, let first = marked.first?.positions.first,
            let last = marked.last?.positions.last
        else { return }
        let radius = max(stroke * 1.25, side * 0.016)
        let end = place(last)
        for (half, ink) in [(radius * 1.35, MapInk.edge), (radius, MapInk.end)] {
            page.fill(x: end.x - half, y: end.y - half, width: 2 * half, height: 2 * half, ink)
        }
        dot(place(first), radius * 1.45, MapInk.edge)
        dot(place(first), radius, MapInk.start)
    }

    private func dot(_ place: (x: Double, y: Double), _ radius: Double, _ ink: Ink) {
        page.use(ink)
        cairo_new_sub_path(page.context)
        cairo_arc(page.context, place.x, place.y, radius, 0, 2 * .pi)
        cairo_fill(page.context)
    }

    /// Adds a shape to the path, without what is finer than half a pixel.
    private func trace(_ shape: Shape, _ number: Int, isClosed: Bool) {
        let context = page.context
        let count = shape.positions.count
        guard let first = shape.positions.first, count > 2 * stride || number % stride == 0 else { return }
        var (before, drawn) = (first, place(first))
        cairo_move_to(context, drawn.x, drawn.y)
        if count == 1 { cairo_line_to(context, drawn.x, drawn.y) }
        let step = count > 2 * stride ? stride : 1
        for index in Swift.stride(from: step, to: count - 1, by: step) + [count - 1] where index > 0 {
            let position = shape.positions[index]
            let here = place(position)
            if !isClosed, projection.isTorn(before, position) {
                cairo_move_to(context, here.x, here.y)
                drawn = here
            } else if index == count - 1 || abs(here.x - drawn.x) + abs(here.y - drawn.y) > Self.finest {
                cairo_line_to(context, here.x, here.y)
                drawn = here
            }
            before = position
        }
        if isClosed { cairo_close_path(context) }
    }

    private static let finest = 0.5
}

internal import CPango
internal import Glibc
internal import TextDrawing

extension MapSheet {
    /// Draws everything: surfaces below lines, lines below places. One of the world ends where it begins, but for the marks there.
    func drawShapes() {
        var (left, right) = (0.0, side)
        if case .world(let cut) = projection {
            left = place(Position(east: cut, north: 0)).x - stroke / 2
            right = place(Position(east: cut + 360, north: 0)).x + stroke / 2
        }
        draw(from: left, to: right) {
            cairo_set_line_join(page.context, CAIRO_LINE_JOIN_ROUND)
            cairo_set_line_cap(page.context, CAIRO_LINE_CAP_ROUND)
            drawSurfaces()
            drawLines()
        }
        draw(from: 0, to: side) {
            drawPlaces()
            drawEnds()
        }
    }

    /// Draws only on a part of the map.
    private func draw(from left: Double, to right: Double, _ body: () -> Void) {
        cairo_save(page.context)
        cairo_rectangle(page.context, left, 0, right - left, bottom)
        cairo_clip(page.context)
        body()
        cairo_restore(page.context)
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
            let first = index
            repeat { index += 1 } while index < shapes.count && shapes[index].kind == .hole
            for number in first..<index { trace(shapes[number], number, .fill) }
            let border = style.line.flatMap(MapInk.visible)
            let fill = style.fill.flatMap(MapInk.visible)
            if style.fill?.isClear != true {
                let ink = fill ?? border ?? MapInk.surface
                cairo_set_source_rgba(page.context, ink.red, ink.green, ink.blue, 0.3)
                cairo_fill(page.context)
            }
            cairo_new_path(page.context)
            for number in first..<index { trace(shapes[number], number, .border) }
            page.use(border ?? fill ?? MapInk.surface)
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
                trace(lines[index], index)
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

    /// The colours of lines: those that the file asks for; else of a few tracks, or routes, each its own.
    private func lineInks(_ lines: [Shape]) -> [Ink] {
        var numbers: [Int: Int] = [:]
        for (kind, first) in [(Shape.Kind.track, 0), (.route, MapInk.firstRoute)] {
            let groups = Set(lines.lazy.filter { $0.kind == kind }.map(\.group)).sorted()
            for (number, group) in groups.enumerated() {
                numbers[group] = first + (groups.count > MapInk.mostTracks ? 0 : number)
            }
        }
        return lines.map { line in
            if let ink = features.styles[line.style].line.flatMap(MapInk.visible) { return ink }
            return MapInk.tracks[(numbers[line.group] ?? 0) % MapInk.tracks.count]
        }
    }

    private func drawPlaces() {
        let places = features.shapes.filter { $0.kind == .point }
        let radius = stroke * 1.15 * min(1, max(0.4, (300 / Double(max(1, places.count))).squareRoot()))
        for shape in places {
            let ink = features.styles[shape.style].point.flatMap(MapInk.visible) ?? MapInk.place
            for position in shape.positions {
                let place = place(position, projection.shifts(of: shape).first ?? 0)
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
        guard kind != .line || marked.count == 1, let first = marked.first, let last = marked.last,
            let start = first.positions.first.map({ place($0, shift(of: first, $0)) }),
            let end = last.positions.last.map({ place($0, shift(of: last, $0)) })
        else { return }
        let radius = max(stroke * 1.25, side * 0.016)
        guard hypot(end.x - start.x, end.y - start.y) > 2.4 * radius else {
            // Where somebody came back to: one mark that is both.
            dot(start, radius * 1.8, MapInk.edge)
            dot(start, radius * 1.4, MapInk.end)
            return dot(start, radius * 0.8, MapInk.start)
        }
        for (half, ink) in [(radius * 1.35, MapInk.edge), (radius, MapInk.end)] {
            page.fill(x: end.x - half, y: end.y - half, width: 2 * half, height: 2 * half, ink)
        }
        dot(start, radius * 1.45, MapInk.edge)
        dot(start, radius, MapInk.start)
    }

    /// How far to the right a shape is drawn so that one of its positions is on the sheet.
    private func shift(of shape: Shape, _ position: Position) -> Double {
        projection.shifts(of: shape).first { projection.width.contains(position.east + $0) } ?? 0
    }

    private func dot(_ place: (x: Double, y: Double), _ radius: Double, _ ink: Ink) {
        page.use(ink)
        cairo_new_sub_path(page.context)
        cairo_arc(page.context, place.x, place.y, radius, 0, 2 * .pi)
        cairo_fill(page.context)
    }

    /// Adds a shape to the path, without what is finer than half a pixel.
    /// - Parameter part: of an edge, what is wanted of it.
    private func trace(_ shape: Shape, _ number: Int, _ part: EdgePart = .none) {
        let count = shape.positions.count
        guard count > 2 * stride || number % stride == 0 else { return }
        for shift in projection.shifts(of: shape) { trace(shape.positions, shift, part) }
    }

    /// What is traced of the edge of a surface.
    private enum EdgePart {
        /// It is a line, and no edge.
        case none
        /// All of it, as what is filled ends there.
        case fill
        /// What is really there: not where surfaces are cut along the 180th meridian, as those across it are, or end at a pole.
        case border
    }

    private func trace(_ positions: [Position], _ shift: Double, _ part: EdgePart) {
        guard let first = positions.first else { return }
        let context = page.context
        let count = positions.count
        var (before, drawn) = (first, place(first, shift))
        cairo_move_to(context, drawn.x, drawn.y)
        if count == 1 { cairo_line_to(context, drawn.x, drawn.y) }
        let step = count > 2 * stride ? stride : 1
        for index in Swift.stride(from: step, to: count - 1, by: step) + [count - 1] where index > 0 {
            let position = positions[index]
            let here = place(position, shift)
            if part == .border, isCut(before, position) {
                let corner = place(before, shift)
                // A line of no length would be a dot.
                if corner != drawn { cairo_line_to(context, corner.x, corner.y) }
                cairo_move_to(context, here.x, here.y)
                drawn = here
            } else if index == count - 1 || abs(here.x - drawn.x) + abs(here.y - drawn.y) > Self.finest {
                cairo_line_to(context, here.x, here.y)
                drawn = here
            }
            before = position
        }
        guard part != .none else { return }
        let isAround = projection.isWorld && abs(abs(before.east - first.east) - 360) < 1e-6
        if part == .fill, isAround {
            // What goes around a pole contains it.
            for east in [before.east, first.east] {
                let corner = place(Position(east: east, north: before.north < 0 ? -90 : 90), shift)
                cairo_line_to(context, corner.x, corner.y)
            }
        }
        if part == .fill || !isAround && !isCut(before, first) { cairo_close_path(context) }
    }

    private func isCut(_ one: Position, _ other: Position) -> Bool {
        if case .plan = projection { return false }
        return one.isBorder && other.isBorder && (one.east == other.east || one.north == other.north)
    }

    private static let finest = 0.5
}

extension Position {
    /// Whether it lies where maps of the world end: at the 180th meridian, or at a pole.
    fileprivate var isBorder: Bool { abs(north) == 90 || abs(remainder(east, 360)) == 180 }
}

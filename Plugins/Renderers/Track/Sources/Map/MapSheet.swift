internal import CPango
internal import Glibc
internal import TextDrawing
internal import VitrineKit

/// The picture of a map. It is square: tracks have any shape, and this one leaves them most room in a file manager's cell.
struct MapSheet {
    /// What is drawn on; its lengths are pixels.
    let page: Page
    /// The side of the sheet.
    let side: Double
    /// How wide lines are.
    private(set) var stroke: Double
    /// Of how many positions, or of short shapes, one is drawn.
    private(set) var stride = 1
    let features: FeatureGathering
    let projection: Projection
    /// Pixels for a unit of the projection, and what lies in the middle of the map.
    private(set) var scale = 1.0
    private var middle = (x: 0.0, y: 0.0)
    private var center = (x: 0.0, y: 0.0)
    /// Where the map begins and ends, of the sheet's height.
    private(set) var top = 0.0, bottom: Double

    /// Sides from which on there are a profile, and words.
    private static let profileSide = 256.0, wordsSide = 512.0

    /// Draws what was read.
    /// - Parameters:
    ///   - features: with at least one shape.
    ///   - title: what is written above it when it is large.
    ///   - box: the side of the sheet.
    /// - Throws: `limitExceeded` without memory.
    static func draw(_ features: FeatureGathering, title: String?, box: Int) throws(PluginError) -> Bitmap {
        let page = try Page(box: box, width: Double(box), height: Double(box))
        var sheet = MapSheet(page, features, Double(box))
        sheet.draw(title: title)
        return try page.finish()
    }

    private init(_ page: Page, _ features: FeatureGathering, _ side: Double) {
        (self.page, self.features, self.side) = (page, features, side)
        projection = Projection(features.shapes, features.coordinates)
        // Not in proportion: what is small must be seen, what is large need not shout.
        stroke = 2.5 * pow(side / 128, 0.6)
        bottom = side
    }

    private mutating func draw(title: String?) {
        page.fill(x: 0, y: 0, width: side, height: side, MapInk.paper)
        let hasWords = side >= Self.wordsSide
        let hasProfile = side >= Self.profileSide && features.profile.isShown
        if hasProfile { bottom = side * 0.79 }
        if hasWords, title != nil { top = side * 0.075 }
        fit(margin: side * 0.085)
        drawGrid()
        adaptToDensity()
        drawShapes()
        if hasWords { drawScale() }
        if hasProfile { drawProfile(hasWords: hasWords) }
        guard hasWords, let title else { return }
        page.line(
            title, size: side * 0.036, isBold: true, x: side * 0.045, baseline: side * 0.066, width: side * 0.91)
    }

    /// Finds the scale at which everything fits.
    private mutating func fit(margin: Double) {
        var (left, right, low, high) = (Double.infinity, -Double.infinity, Double.infinity, -Double.infinity)
        for shape in features.shapes {
            let shifts = projection.shifts(of: shape), width = projection.width
            for position in shape.positions {
                let place = projection.place(position)
                for x in shifts.map({ min(max($0 + place.x, width.lowerBound), width.upperBound) }) {
                    (left, right) = (min(left, x), max(right, x))
                }
                (low, high) = (min(low, place.y), max(high, place.y))
            }
        }
        middle = ((left + right) / 2, (low + high) / 2)
        center = (side / 2, (top + bottom) / 2)
        let smallest = projection.smallest(around: max(right - left, high - low))
        scale = min(
            (side - 2 * margin) / max(right - left, smallest),
            (bottom - top - 2 * margin) / max(high - low, smallest))
    }

    /// Where a position is on the page.
    /// - Parameter shift: how far to the right its shape is drawn.
    func place(_ position: Position, _ shift: Double = 0) -> (x: Double, y: Double) {
        let place = projection.place(position)
        return (center.x + (place.x + shift - middle.x) * scale, center.y + (place.y - middle.y) * scale)
    }

    /// Makes lines thinner where there are so many that they would run into one another.
    private mutating func adaptToDensity() {
        var length = 0.0
        for shape in features.shapes where shape.kind != .point {
            var before: (x: Double, y: Double)?
            for position in shape.positions {
                let here = place(position)
                if let before { length += hypot(here.x - before.x, here.y - before.y) }
                before = here
            }
        }
        let area = side * (bottom - top)
        stroke *= min(1, max(0.25, 0.3 * area / max(length * stroke, 1)))
        // What is hatched all over twice as densely as can be seen is noise; of that, some is as good as all.
        stride = max(1, Int(length / (2 * area)))
        if length > area / 4 { cairo_set_antialias(page.context, CAIRO_ANTIALIAS_FAST) }
    }

    /// Meridians and parallels of a map of the world as far as there are any, else squares with sides of a round length.
    private func drawGrid() {
        let step = gridStep * scale
        let origin: (x: Double, y: Double)
        if projection.isWorld {
            origin = (center.x - middle.x * scale, center.y - middle.y * scale)
        } else {
            origin = (side / 2, (top + bottom) / 2)
        }
        cairo_set_line_width(page.context, max(1, side / 512))
        page.use(MapInk.grid)
        var (left, right, upper, lower) = (0.0, side, 0.0, bottom)
        if case .world(let cut) = projection {
            let (start, end) = (place(Position(east: cut, north: 90)), place(Position(east: cut + 360, north: -90)))
            (left, right, upper, lower) = (
                max(left, start.x), min(right, end.x), max(upper, start.y), min(lower, end.y)
            )
        }
        // Those at the edge of the world are drawn, whatever was lost in rounding.
        for x in Self.lines(from: left - 0.01, to: right + 0.01, every: step, through: origin.x) {
            cairo_move_to(page.context, x, upper)
            cairo_line_to(page.context, x, lower)
        }
        for y in Self.lines(from: upper - 0.01, to: lower + 0.01, every: step, through: origin.y) {
            cairo_move_to(page.context, left, y)
            cairo_line_to(page.context, right, y)
        }
        cairo_stroke(page.context)
    }

    private static func lines(
        from low: Double, to high: Double, every step: Double, through origin: Double
    ) -> StrideThrough<Double> {
        Swift.stride(from: origin + ((low - origin) / step).rounded(.up) * step, through: high, by: step)
    }

    /// The side of a square of the grid, in units of the projection.
    private var gridStep: Double {
        if projection.isWorld { return 30 }
        let most = side / 4 / scale
        let power = pow(10, log10(most).rounded(.down))
        return [5, 2, 1].first { $0 * power <= most }.map { $0 * power } ?? power
    }

    /// Says how long the side of a square is.
    private func drawScale() {
        guard case .local = projection else { return }
        let (length, size) = (gridStep * scale, side * 0.021)
        let (right, y) = (side * 0.955, bottom - side * 0.03)
        cairo_set_line_width(page.context, max(1, side / 400))
        cairo_set_line_cap(page.context, CAIRO_LINE_CAP_BUTT)
        page.use(.pale)
        cairo_move_to(page.context, right - length, y - side * 0.006)
        cairo_line_to(page.context, right - length, y)
        cairo_line_to(page.context, right, y)
        cairo_line_to(page.context, right, y - side * 0.006)
        cairo_stroke(page.context)
        page.line(
            MapWords.length(gridStep), size: size, ink: .pale, x: right - length + side * 0.008,
            baseline: y - side * 0.01,
            width: length)
    }
}

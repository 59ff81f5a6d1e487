internal import Glibc

/// A rectangle around points.
struct DrawingBounds {
    private(set) var low: (x: Double, y: Double) = (.infinity, .infinity)
    private(set) var high: (x: Double, y: Double) = (-.infinity, -.infinity)

    var isEmpty: Bool { low.x > high.x || low.y > high.y }

    mutating func add(_ x: Double, _ y: Double) {
        low = (min(low.x, x), min(low.y, y))
        high = (max(high.x, x), max(high.y, y))
    }

    /// Adds what an element takes, about; rather more than less.
    /// - Parameter blocks: what elements may be made of, relative to their base.
    mutating func add(_ entity: DrawingEntity, _ blocks: [String: DrawingBounds]) {
        let points = entity.points(10...10)
        switch entity.kind {
        case "LINE", "SOLID", "TRACE", "3DFACE", "DIMENSION", "SPLINE":
            for point in entity.points(10...14) { add(point.x, point.y) }
        case "POINT", "VERTEX", "LWPOLYLINE", "LEADER": for point in points { add(point.x, point.y) }
        case "CIRCLE", "ARC": addSquare(points.first, entity.number(40) ?? 0)
        case "ELLIPSE":
            let axis = entity.points(11...11).first ?? (0, 0)
            addSquare(points.first, hypot(axis.x, axis.y))
        case "TEXT":
            let length = Double(entity.text(1)?.count ?? 0) * (entity.number(40) ?? 0)
            let angle = entity.angle(50)
            addSquare(points.first, entity.number(40) ?? 0)
            for point in points { add(point.x + length * cos(angle), point.y + length * sin(angle)) }
        case "INSERT":
            if let point = points.first, let block = entity.text(2).flatMap({ blocks[$0] }), !block.isEmpty {
                add(block, of: entity, at: point)
            }
        default: break
        }
    }

    private mutating func addSquare(_ middle: (x: Double, y: Double)?, _ radius: Double) {
        guard let middle else { return }
        add(middle.x - radius, middle.y - radius)
        add(middle.x + radius, middle.y + radius)
    }

    private mutating func add(_ block: DrawingBounds, of entity: DrawingEntity, at place: (x: Double, y: Double)) {
        let (wide, high) = (entity.number(41) ?? 1, entity.number(42) ?? 1)
        // Some stand in rows and columns.
        let across = max(0, (entity.number(70) ?? 1) - 1) * (entity.number(44) ?? 0)
        let up = max(0, (entity.number(71) ?? 1) - 1) * (entity.number(45) ?? 0)
        let (cosine, sine) = (cos(entity.angle(50)), sin(entity.angle(50)))
        for (x, y) in [(block.low.x, block.low.y), (block.high.x, block.low.y), block.low, block.high]
            + [(block.low.x, block.high.y)]
        {
            for (right, top) in [(0, 0), (across, 0), (0, up), (across, up)] {
                let (x, y) = (x * wide + right, y * high + top)
                add(place.x + x * cosine - y * sine, place.y + x * sine + y * cosine)
            }
        }
    }

    /// The same, counted from another point.
    func relative(to base: (x: Double, y: Double)) -> DrawingBounds {
        var bounds = DrawingBounds()
        guard !isEmpty else { return bounds }
        bounds.add(low.x - base.x, low.y - base.y)
        bounds.add(high.x - base.x, high.y - base.y)
        return bounds
    }
}

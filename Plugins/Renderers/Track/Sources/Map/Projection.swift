internal import Glibc

/// How places on the Earth become places on a sheet, x to the right and y down.
///
/// What lies within some 60 degrees of its own middle is drawn in the azimuthal equidistant projection around that middle,
/// on a sphere: in the shape that it has, also near a pole or across the 180th meridian. What is larger is drawn with
/// meridians and parallels as straight lines, as maps of the world are; and a plan as it is.
enum Projection {
    /// Around a middle; lengths are in metres.
    case local(middle: Vector, east: Vector, north: Vector)
    /// All of the Earth, cut at a meridian; lengths are in degrees.
    case world(cut: Double)
    /// A plane already, whatever its unit is.
    case plan

    /// The cosine of the largest distance from the middle.
    private static let reach = 0.5

    /// Chooses for all positions of some shapes.
    init(_ shapes: [Shape], _ coordinates: Coordinates = .degrees) {
        guard coordinates != .plane else {
            self = .plan
            return
        }
        var (low, high) = (Vector(repeating: 1), Vector(repeating: -1))
        for shape in shapes {
            for position in shape.positions {
                let vector = Self.vector(position)
                (low, high) = (pointwiseMin(low, vector), pointwiseMax(high, vector))
            }
        }
        let sum = low + high
        let length = (sum * sum).sum().squareRoot()
        let middle = sum / length
        let isLocal =
            length > 0.1
            && shapes.allSatisfy { $0.positions.allSatisfy { (Self.vector($0) * middle).sum() > Self.reach } }
        guard isLocal else {
            self = .world(cut: Self.cut(shapes))
            return
        }
        // East is across the axis of the Earth; at a pole, any direction will do.
        var east = Vector(-middle.y, middle.x, 0)
        let across = (east * east).sum().squareRoot()
        east = across > 1e-9 ? east / across : Vector(0, 1, 0)
        let north = Vector(-middle.z * east.y, middle.z * east.x, middle.x * east.y - middle.y * east.x)
        self = .local(middle: middle, east: east, north: north)
    }

    /// A direction from the middle of the Earth.
    typealias Vector = SIMD3<Double>

    private static func vector(_ position: Position) -> Vector {
        let (longitude, latitude) = (position.east * Position.radians, position.north * Position.radians)
        return Vector(cos(latitude) * cos(longitude), cos(latitude) * sin(longitude), sin(latitude))
    }

    /// Where a position is on the sheet.
    func place(_ position: Position) -> (x: Double, y: Double) {
        switch self {
        case .local(let middle, let east, let north):
            let vector = Self.vector(position)
            let (x, y) = ((vector * east).sum(), (vector * north).sum())
            let sine = (x * x + y * y).squareRoot()
            let stretch = sine > 1e-12 ? atan2(sine, (vector * middle).sum()) / sine : 1
            let metres = stretch * Position.metres / Position.radians
            return (x * metres, -y * metres)
        case .world, .plan: return (position.east, -position.north)
        }
    }

    /// Whether it is that of a map of the world.
    var isWorld: Bool { if case .world = self { true } else { false } }

    /// How far to the right a shape is drawn, and drawn again: on a map of the world, what lies across the meridian where it
    /// is cut is seen at both sides.
    func shifts(of shape: Shape) -> [Double] {
        guard case .world(let cut) = self else { return [0] }
        let (low, high) = shape.longitudes
        guard high > low else {
            let shift = cut - low + Self.remainder(low - cut)
            // A meridian, too, but no place.
            return low + shift == cut && shape.positions.count > 1 ? [shift, shift + 360] : [shift]
        }
        let first = ((cut - high) / 360).rounded(.down) + 1
        return stride(from: first * 360, to: cut + 360 - low, by: 360).map(\.self)
    }

    /// Where on the sheet there may be something, to the right.
    var width: ClosedRange<Double> {
        if case .world(let cut) = self { cut...cut + 360 } else { -Double.infinity...Double.infinity }
    }

    /// The shortest side of a sheet for what has this extent: 200 metres around a single place.
    func smallest(around extent: Double) -> Double {
        switch self {
        case .local: extent < 1 ? 200 : 10
        case .world: 10
        case .plan: extent > 0 ? extent : 200
        }
    }

    private static func remainder(_ degrees: Double) -> Double { degrees - (degrees / 360).rounded(.down) * 360 }

    /// Where a map of the world is cut: in the middle of the widest part where nothing is, else at 180 degrees.
    private static func cut(_ shapes: [Shape]) -> Double {
        var isTaken = [Bool](repeating: false, count: 360)
        for shape in shapes {
            var before: Double?
            for position in shape.positions {
                let degree = (position.east + 180).rounded(.down)
                for taken in stride(from: min(before ?? degree, degree), through: max(before ?? degree, degree), by: 1)
                {
                    isTaken[Int(remainder(taken))] = true
                }
                before = degree
            }
        }
        var best = 0..<0
        var start: Int?
        for index in 0..<720 {
            guard !isTaken[index % 360] else {
                start = nil
                continue
            }
            start = start ?? index
            if let start, index + 1 - start > best.count { best = start..<index + 1 }
        }
        guard best.count >= narrowest else { return -180 }
        let middle = Double(best.lowerBound) + Double(best.count) / 2 - 180
        return middle > 180 ? middle - 360 : middle
    }

    /// Degrees that must be free.
    private static let narrowest = 30
}

internal import Glibc

/// How places on the Earth become places on a sheet, x to the right and y down.
///
/// What lies within some 60 degrees of its own middle is drawn in the azimuthal equidistant projection around that middle,
/// on a sphere: in the shape that it has, also near a pole or across the 180th meridian. What is larger is drawn with
/// meridians and parallels as straight lines, as maps of the world are.
enum Projection {
    /// Around a middle; lengths are in metres.
    case local(middle: Vector, east: Vector, north: Vector)
    /// All of the Earth, cut at a meridian; lengths are in degrees.
    case world(cut: Double)

    /// The cosine of the largest distance from the middle.
    private static let reach = 0.5

    /// Chooses for all positions of some shapes.
    init(_ shapes: [Shape]) {
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
        let (longitude, latitude) = (position.longitude * Position.radians, position.latitude * Position.radians)
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
        case .world(let cut):
            return (position.longitude < cut ? position.longitude + 360 : position.longitude, -position.latitude)
        }
    }

    /// Whether a line between two positions leaves the sheet at one side and comes back at the other.
    func isTorn(_ one: Position, _ other: Position) -> Bool {
        guard case .world = self else { return false }
        return abs(place(one).x - place(other).x) > 180
    }

    /// The shortest side of a sheet for what has this extent: 200 metres around a single place.
    func smallest(around extent: Double) -> Double {
        if case .local = self { extent < 1 ? 200 : 10 } else { 10 }
    }

    /// Where a map of the world is cut: in the middle of the widest part where nothing is, else at 180 degrees.
    private static func cut(_ shapes: [Shape]) -> Double {
        var isTaken = [Bool](repeating: false, count: 360)
        for shape in shapes {
            var before: Double?
            for position in shape.positions {
                let from = before ?? position.longitude
                before = position.longitude
                let (low, high) = (min(from, position.longitude), max(from, position.longitude))
                // Lines take the shorter way; surfaces do not cross the 180th meridian (RFC 7946, section 3.1.9).
                let isAround = high - low > 180 && shape.kind.isLine
                for degree in isAround ? [degree(high)...359, 0...degree(low)] : [degree(low)...degree(high)] {
                    for index in degree { isTaken[index] = true }
                }
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

    private static func degree(_ longitude: Double) -> Int { min(359, max(0, Int(longitude + 180))) }
}

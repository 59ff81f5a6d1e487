internal import VitrineKit

/// The triangles of a model, or its points where it has nothing else.
///
/// Axes are those of machines and of maps: x to the right, y to the back, z up.
struct Mesh {
    /// What the points are.
    enum Kind {
        /// Corners of triangles that ``Mesh/corners`` names.
        case shared
        /// Corners of triangles, each point of one: three by three.
        case apart
        /// All that there is, as scanners measure it.
        case cloud
    }

    var kind = Kind.shared
    /// Corners of triangles. Numbers that are none, or too large to be computed with, are left out when it is drawn.
    private(set) var points: [SIMD3<Float>] = []
    /// Three numbers of points for each triangle.
    private(set) var corners: [UInt32] = []
    /// Red, green, blue of each point in sRGB's code; empty where the file names none.
    private(set) var colours: [SIMD4<UInt8>] = []

    /// Where the file's first point lies, from which the others are told.
    private var origin: SIMD3<Double>?

    /// More than programs show at once: 480 MB of points, 240 MB of triangles.
    static let mostPoints = 30_000_000, mostTriangles = 20_000_000
    /// Coordinates that are told from the first point: beyond, differences would be too coarse for what lies elsewhere.
    private static let farthestOrigin = 1e12
    /// What a model is made of that names no colour.
    static let plain = SIMD4<UInt8>(200, 208, 220, 255)

    /// How many triangles there are.
    var triangles: Int {
        switch kind {
        case .shared: corners.count / 3
        case .apart: points.count / 3
        case .cloud: 0
        }
    }

    /// Makes room for so many points, as far as that is allowed.
    mutating func reserve(points count: Int) { points.reserveCapacity(min(count, Self.mostPoints)) }

    /// - Throws: `limitExceeded` when there are too many.
    @inline(__always) mutating func add(_ point: SIMD3<Float>) throws(PluginError) {
        guard points.count < Self.mostPoints else { throw Self.tooLarge }
        points.append(point)
        if !colours.isEmpty { colours.append(Self.plain) }
    }

    /// Adds a point that has a colour; those before it that had none are as the material.
    /// - Throws: `limitExceeded` when there are too many.
    @inline(__always) mutating func add(_ point: SIMD3<Float>, _ colour: SIMD4<UInt8>) throws(PluginError) {
        guard points.count < Self.mostPoints else { throw Self.tooLarge }
        while colours.count < points.count { colours.append(Self.plain) }
        points.append(point)
        colours.append(colour)
    }

    /// Adds a point where the file says that it lies: maps of millions of metres and parts of millimetres. Of one model
    /// either all points are added so, or none.
    /// - Throws: `limitExceeded` when there are too many.
    @inline(__always) mutating func add(
        place: SIMD3<Double>, _ colour: SIMD4<UInt8>? = nil
    ) throws(PluginError) {
        let origin = origin ?? begin(at: place)
        let point = SIMD3<Float>(place - origin)
        if let colour { try add(point, colour) } else { try add(point) }
    }

    /// - Returns: the origin, which is kept if the point can be one.
    private mutating func begin(at place: SIMD3<Double>) -> SIMD3<Double> {
        // What is no number is not less than anything.
        let isUsable = (0..<3).allSatisfy { abs(place[$0]) < Self.farthestOrigin }
        if isUsable { origin = place }
        return isUsable ? place : .zero
    }

    /// Of points that are apart, leaves out the last ones that are no whole triangle.
    mutating func dropUnfinished() { points.removeLast(points.count % 3) }

    /// Adds a triangle between points that are there already; one with others is left out.
    /// - Throws: `limitExceeded` when there are too many.
    @inline(__always) mutating func add(corners a: Int, _ b: Int, _ c: Int) throws(PluginError) {
        let count = points.count
        guard 0..<count ~= a, 0..<count ~= b, 0..<count ~= c else { return }
        guard corners.count < 3 * Self.mostTriangles else { throw Self.tooLarge }
        corners.append(UInt32(truncatingIfNeeded: a))
        corners.append(UInt32(truncatingIfNeeded: b))
        corners.append(UInt32(truncatingIfNeeded: c))
    }

    /// Calls with the numbers of the points of each triangle.
    @inline(__always) func forEachTriangle<E: Error>(_ body: (Int, Int, Int) throws(E) -> Void) throws(E) {
        for first in stride(from: 0, to: 3 * triangles, by: 3) {
            guard kind == .shared else {
                try body(first, first + 1, first + 2)
                continue
            }
            try body(Int(corners[first]), Int(corners[first + 1]), Int(corners[first + 2]))
        }
    }

    static let tooLarge = PluginError(
        .limitExceeded,
        "the model has more than \(mostPoints) points or \(mostTriangles) triangles, which are not drawn")
}

/// Where a part of a model stands in the whole: turned, stretched and moved.
struct Placement {
    /// What becomes of one step along each axis, and of the origin.
    var x = SIMD3<Float>(1, 0, 0), y = SIMD3<Float>(0, 1, 0), z = SIMD3<Float>(0, 0, 1)
    var origin = SIMD3<Float>.zero

    /// Where it is.
    static let identity = Self()
    /// From models whose y axis points up.
    static let upright = Self(x: [1, 0, 0], y: [0, 0, 1], z: [0, -1, 0])

    /// What ``upright`` makes of a point.
    static func upright(_ place: SIMD3<Double>) -> SIMD3<Double> { SIMD3(place.x, -place.z, place.y) }

    func callAsFunction(_ point: SIMD3<Float>) -> SIMD3<Float> { x * point.x + y * point.y + z * point.z + origin }

    /// First the inner one, then this.
    func of(_ inner: Self) -> Self {
        let moved = self(inner.origin)
        return Self(x: self(inner.x) - origin, y: self(inner.y) - origin, z: self(inner.z) - origin, origin: moved)
    }
}

package import VitrineKit

/// The triangles of a model, or its points where it has nothing else.
///
/// Axes are those of machines and of maps: x to the right, y to the back, z up.
package struct Mesh {
    /// What the points are.
    package enum Kind {
        /// Corners of triangles that ``Mesh/corners`` names.
        case shared
        /// Corners of triangles, each point of one: three by three.
        case apart
        /// All that there is, as scanners measure it.
        case cloud
    }

    /// What a point may have beside its place.
    package struct Traits {
        /// Red, green, blue in sRGB's code, and alpha.
        package var colour: SIMD4<UInt8>?
        /// Where the surface looks, on either side of it; of any length, zero where it looks as its triangle does.
        package var normal: SIMD3<Float>?
        /// Where it is in the texture of its material.
        package var texture: SIMD2<Float>?

        package init(colour: SIMD4<UInt8>? = nil, normal: SIMD3<Float>? = nil, texture: SIMD2<Float>? = nil) {
            (self.colour, self.normal, self.texture) = (colour, normal, texture)
        }
    }

    /// Triangles of one material, up to the first of the next stretch.
    package struct Stretch {
        private var start: UInt32
        private var number: UInt16
        /// Whether its triangles go round the other way than they should, clockwise as seen from outside.
        package let isMirrored: Bool

        init(_ first: Int, _ material: Int, isMirrored: Bool) {
            (start, number, self.isMirrored) = (
                UInt32(clamping: first), UInt16(clamping: material), isMirrored
            )
        }

        /// Its first triangle, and the number of its material.
        package var first: Int { Int(start) }
        package var material: Int { Int(number) }
    }

    package init() {}

    package var kind = Kind.shared
    /// Corners of triangles. Numbers that are none, or too large to be computed with, are left out when it is drawn.
    package private(set) var points: [SIMD3<Float>] = []
    /// Three numbers of points for each triangle.
    package private(set) var corners: [UInt32] = []
    /// What the points have beside their places; each empty where none has it. Normals are 127 long, or zero.
    package private(set) var colours: [SIMD4<UInt8>] = []
    package private(set) var normals: [SIMD4<Int8>] = []
    package private(set) var textures: [SIMD2<Float>] = []
    /// The colour of points that have none.
    package var unpainted = plain
    /// What it is made of; one that colours as its points are where there are no ``stretches``.
    package private(set) var materials = [Material()]
    package private(set) var stretches: [Stretch] = []

    /// Where the file's first point lies, from which the others are told.
    private var origin: SIMD3<Double>?

    /// More than programs show at once: 480 MB of points, 240 MB of triangles, some hundred MB of traits.
    package static let mostPoints = 30_000_000, mostTriangles = 20_000_000, mostMaterials = 10_000
    /// Coordinates that are told from the first point: beyond, differences would be too coarse for what lies elsewhere.
    private static let farthestOrigin = 1e12
    /// What a model is made of that names no colour.
    package static let plain = SIMD4<UInt8>(200, 208, 220, 255)

    /// How many triangles there are.
    package var triangles: Int {
        switch kind {
        case .shared: corners.count / 3
        case .apart: points.count / 3
        case .cloud: 0
        }
    }

    // MARK: Points

    /// Makes room for so many points, as far as that is allowed.
    package mutating func reserve(points count: Int) { points.reserveCapacity(min(count, Self.mostPoints)) }

    /// - Throws: `limitExceeded` when there are too many.
    @inline(__always) package mutating func add(_ point: SIMD3<Float>, _ traits: Traits = Traits()) throws(PluginError)
    {
        let count = points.count
        guard count < Self.mostPoints else { throw Self.tooLarge }
        points.append(point)
        Self.add(traits.colour, to: &colours, count, unpainted)
        Self.add(traits.normal.map(Self.packed), to: &normals, count, .zero)
        Self.add(traits.texture, to: &textures, count, .zero)
    }

    /// Those before one that is the first to have something had nothing.
    @inline(__always) private static func add<T>(_ value: T?, to list: inout [T], _ count: Int, _ none: T) {
        if let value {
            while list.count < count { list.append(none) }
            list.append(value)
        } else if !list.isEmpty {
            list.append(none)
        }
    }

    @inline(__always) private static func packed(_ normal: SIMD3<Float>) -> SIMD4<Int8> {
        // Of any size: squares of what is tiny or huge are none.
        let size = max(abs(normal.x), abs(normal.y), abs(normal.z))
        guard size > 0, size.isFinite else { return .zero }
        let direction = normal / size
        let length = (direction * direction).sum().squareRoot()
        guard length > 0, length.isFinite else { return .zero }
        let exact = (direction * (127 / length)).rounded(.toNearestOrEven)
        let scaled = exact.clamped(lowerBound: SIMD3(repeating: -127), upperBound: SIMD3(repeating: 127))
        return SIMD4(Int8(scaled.x), Int8(scaled.y), Int8(scaled.z), 0)
    }

    /// Adds a point where the file says that it lies: maps of millions of metres and parts of millimetres. Of one model
    /// either all points are added so, or none.
    /// - Throws: `limitExceeded` when there are too many.
    @inline(__always) package mutating func add(
        place: SIMD3<Double>, _ traits: Traits = Traits()
    ) throws(PluginError) {
        let origin = origin ?? begin(at: place)
        try add(SIMD3<Float>(place - origin), traits)
    }

    /// - Returns: the origin, which is kept if the point can be one.
    private mutating func begin(at place: SIMD3<Double>) -> SIMD3<Double> {
        // What is no number is not less than anything.
        let isUsable = (0..<3).allSatisfy { abs(place[$0]) < Self.farthestOrigin }
        if isUsable { origin = place }
        return isUsable ? place : .zero
    }

    /// What a point has. It must be there.
    package func traits(of point: Int) -> Traits {
        let normal = normals.isEmpty ? nil : normals[point]
        return Traits(
            colour: colours.isEmpty ? nil : colours[point],
            normal: normal.map { SIMD3(Float($0.x), Float($0.y), Float($0.z)) },
            texture: textures.isEmpty ? nil : textures[point])
    }

    /// Gives more to a point, which must be there; what is `nil` stays as it is.
    package mutating func give(_ traits: Traits, to point: Int) {
        Self.set(traits.colour, in: &colours, point, points.count, unpainted)
        Self.set(traits.normal.map(Self.packed), in: &normals, point, points.count, .zero)
        Self.set(traits.texture, in: &textures, point, points.count, .zero)
    }

    private static func set<T>(_ value: T?, in list: inout [T], _ index: Int, _ count: Int, _ none: T) {
        guard let value else { return }
        while list.count < count { list.append(none) }
        list[index] = value
    }

    /// Of points that are apart, leaves out the last ones that are no whole triangle.
    package mutating func dropUnfinished() {
        let rest = points.count % 3
        points.removeLast(rest)
        if !colours.isEmpty { colours.removeLast(rest) }
    }

    package static let tooLarge = PluginError(
        .limitExceeded,
        "the model has more than \(mostPoints) points or \(mostTriangles) triangles, which are not drawn")
}

// MARK: Triangles

extension Mesh {
    /// Adds a triangle between points that are there already; one with others is left out.
    /// - Throws: `limitExceeded` when there are too many.
    @inline(__always) package mutating func add(corners a: Int, _ b: Int, _ c: Int) throws(PluginError) {
        let count = points.count
        guard 0..<count ~= a, 0..<count ~= b, 0..<count ~= c else { return }
        guard corners.count < 3 * Self.mostTriangles else { throw Self.tooLarge }
        corners.append(UInt32(truncatingIfNeeded: a))
        corners.append(UInt32(truncatingIfNeeded: b))
        corners.append(UInt32(truncatingIfNeeded: c))
    }

    /// Adds a material.
    /// - Returns: its number; that of the first one, which has no colour, where there are too many.
    package mutating func add(_ material: Material) -> Int {
        guard materials.count < Self.mostMaterials else { return 0 }
        materials.append(material)
        return materials.count - 1
    }

    /// Triangles from here on are of a material.
    /// - Parameter material: its number, which must be there.
    package mutating func begin(material: Int, isMirrored: Bool = false) {
        if let last = stretches.last, last.material == material, last.isMirrored == isMirrored { return }
        if let last = stretches.last, last.first == triangles { stretches.removeLast() }
        if stretches.isEmpty, triangles > 0 { stretches.append(Stretch(0, 0, isMirrored: false)) }
        stretches.append(Stretch(triangles, material, isMirrored: isMirrored))
    }

    /// The numbers of a triangle's points.
    @inline(__always) package func corners(of triangle: Int) -> (Int, Int, Int) {
        let first = 3 * triangle
        guard kind == .shared else { return (first, first + 1, first + 2) }
        return (Int(corners[first]), Int(corners[first + 1]), Int(corners[first + 2]))
    }

    /// Calls with the triangles of each stretch, which may be none.
    package func forEachStretch<E: Error>(_ body: (Range<Int>, Stretch) throws(E) -> Void) throws(E) {
        guard !stretches.isEmpty else { return try body(0..<triangles, Stretch(0, 0, isMirrored: false)) }
        for (index, stretch) in stretches.enumerated() {
            let end = index + 1 < stretches.count ? stretches[index + 1].first : triangles
            try body(stretch.first..<max(stretch.first, end), stretch)
        }
    }

    /// Adds all of another model. Both have shared points.
    /// - Parameter materials: the numbers here of the other's materials.
    /// - Throws: `limitExceeded` when there are too many points or triangles.
    package mutating func add(_ other: Mesh, _ placement: Placement, materials: [Int]) throws(PluginError) {
        let first = points.count, turned = placement.ofNormals
        for (index, point) in other.points.enumerated() {
            var traits = other.traits(of: index)
            traits.normal = traits.normal.map { turned($0) }
            try add(placement(point), traits)
        }
        try other.forEachStretch { (range, stretch) throws(PluginError) in
            begin(material: materials[stretch.material], isMirrored: placement.isMirrored)
            for triangle in range {
                let (a, b, c) = other.corners(of: triangle)
                try add(corners: first + a, first + b, first + c)
            }
        }
    }
}

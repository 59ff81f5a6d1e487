internal import ModelDrawing

/// How a face with any number of corners is cut into triangles.
enum EarClipping {
    /// Corners of a face that is looked at; a larger one is cut from its first corner.
    private static let mostCorners = 500

    /// Triangles around the first corner.
    static func fan(_ count: Int) -> [(Int, Int, Int)] { count < 3 ? [] : (2..<count).map { (0, $0 - 1, $0) } }

    /// Triangles of a face that may have corners which point inwards: one that has no other corner in it is cut off after the other
    /// (Meisters, "Polygons have ears", 1975). Where none is left, as in faces that cross themselves, the rest is a fan.
    static func triangles(_ corners: [SIMD3<Float>]) -> [(Int, Int, Int)] {
        guard 4...mostCorners ~= corners.count else { return fan(corners.count) }
        let flat = flattened(corners)
        var rest = Array(flat.indices), found: [(Int, Int, Int)] = []
        while rest.count > 3 {
            guard let ear = rest.indices.first(where: { isEar($0, rest, flat) }) else { break }
            let (before, after) = (rest[(ear + rest.count - 1) % rest.count], rest[(ear + 1) % rest.count])
            found.append((before, rest[ear], after))
            rest.remove(at: ear)
        }
        return found + fan(rest.count).map { (rest[$0.0], rest[$0.1], rest[$0.2]) }
    }

    /// The corners as they are seen from where the face looks, counterclockwise.
    private static func flattened(_ corners: [SIMD3<Float>]) -> [SIMD2<Float>] {
        var normal = SIMD3<Float>.zero
        for (index, corner) in corners.enumerated() {
            normal += (corner - corners[0]).cross(corners[(index + 1) % corners.count] - corners[0])
        }
        let size = SIMD3(abs(normal.x), abs(normal.y), abs(normal.z))
        if size.x >= size.y, size.x >= size.z {
            return corners.map { normal.x > 0 ? SIMD2($0.y, $0.z) : SIMD2($0.z, $0.y) }
        }
        if size.y >= size.z { return corners.map { normal.y > 0 ? SIMD2($0.z, $0.x) : SIMD2($0.x, $0.z) } }
        return corners.map { normal.z > 0 ? SIMD2($0.x, $0.y) : SIMD2($0.y, $0.x) }
    }

    /// Whether a corner points outwards, with no other one in the triangle with its neighbours.
    private static func isEar(_ at: Int, _ rest: [Int], _ flat: [SIMD2<Float>]) -> Bool {
        let (before, after) = (rest[(at + rest.count - 1) % rest.count], rest[(at + 1) % rest.count])
        let (a, b, c) = (flat[before], flat[rest[at]], flat[after])
        guard side(a, b, c) > 0 else { return false }
        return rest.allSatisfy { other in
            let point = flat[other]
            // Faces with holes come back to a corner.
            if other == before || other == rest[at] || other == after || point == a || point == b || point == c {
                return true
            }
            return side(a, b, point) < 0 || side(b, c, point) < 0 || side(c, a, point) < 0
        }
    }

    /// More than 0 where a point lies to the left of the way from one to another.
    private static func side(_ a: SIMD2<Float>, _ b: SIMD2<Float>, _ point: SIMD2<Float>) -> Float {
        (b.x - a.x) * (point.y - a.y) - (b.y - a.y) * (point.x - a.x)
    }
}

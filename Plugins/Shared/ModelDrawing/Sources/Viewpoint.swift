internal import Glibc

/// From where a model is seen: from the front, some steps to the right and above, from so far away that parallels stay
/// parallel.
struct Viewpoint {
    /// Directions in the model: what is to the right in the picture, what is up, and what comes nearer.
    let right, up, nearer: SIMD3<Float>
    /// What lies farthest to the left and farthest down, and where in the picture that is. Places are told from there: the
    /// middle between two points that are close together and far away may be neither of them.
    private var least = SIMD2<Float>.zero, start = SIMD2<Float>.zero
    private var scale: Float = 1

    /// Degrees.
    private static let turn = 35.0, height = 27.0
    /// What stays free of the picture's side, on each side.
    private static let margin: Float = 0.04
    /// Coordinates beyond would be too large when they are multiplied.
    private static let farthest: Float = 1e18

    /// Looks at the middle of a model, so that all of it is seen.
    /// - Parameter side: of the picture, in pixels.
    /// - Returns: `nil` when there is nothing to see, or only one point of it.
    init?(of mesh: Mesh, side: Int) {
        let (turn, height) = (Self.turn * .pi / 180, Self.height * .pi / 180)
        nearer = SIMD3(Float(sin(turn) * cos(height)), Float(-cos(turn) * cos(height)), Float(sin(height)))
        right = SIMD3(Float(cos(turn)), Float(sin(turn)), 0)
        up = SIMD3(Float(-sin(turn) * sin(height)), Float(cos(turn) * sin(height)), Float(cos(height)))
        var least = SIMD2<Float>(repeating: .infinity), most = SIMD2<Float>(repeating: -.infinity)
        if mesh.kind == .cloud {
            for point in mesh.points where Self.isSeen(point) { take(point, &least, &most) }
        } else {
            for triangle in 0..<mesh.triangles {
                let (a, b, c) = mesh.corners(of: triangle)
                let (p, q, r) = (mesh.points[a], mesh.points[b], mesh.points[c])
                guard Self.isSeen(p), Self.isSeen(q), Self.isSeen(r) else { continue }
                take(p, &least, &most)
                take(q, &least, &most)
                take(r, &least, &most)
            }
        }
        let extent = (most - least).max()
        guard extent.isFinite, extent > 0 else { return nil }
        scale = Float(side) * (1 - 2 * Self.margin) / extent
        guard scale.isFinite else { return nil }
        let size = (most - least) * scale
        self.least = least
        start = SIMD2((Float(side) - size.x) / 2, (Float(side) + size.y) / 2)
    }

    @inline(__always) private func take(
        _ point: SIMD3<Float>, _ least: inout SIMD2<Float>, _ most: inout SIMD2<Float>
    ) {
        let place = SIMD2((point * right).sum(), (point * up).sum())
        least = pointwiseMin(least, place)
        most = pointwiseMax(most, place)
    }

    /// Whether a point is anywhere that can be computed with.
    @inline(__always) static func isSeen(_ point: SIMD3<Float>) -> Bool {
        // What is no number is not less than anything.
        abs(point.x) < farthest && abs(point.y) < farthest && abs(point.z) < farthest
    }

    /// Where a point is in the picture: pixels from the left and from the top, and how near.
    @inline(__always) func place(_ point: SIMD3<Float>) -> SIMD3<Float> {
        SIMD3(
            start.x + ((point * right).sum() - least.x) * scale, start.y - ((point * up).sum() - least.y) * scale,
            (point * nearer).sum() * scale)
    }
}

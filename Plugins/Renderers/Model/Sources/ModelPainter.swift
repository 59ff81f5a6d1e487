internal import VitrineKit

/// Draws a model pixel by pixel, each as the surface that is nearest there.
struct ModelPainter: ~Copyable {
    private let view: Viewpoint
    private let side: Int
    private let bitmap: Bitmap
    /// How near what is drawn in a pixel is.
    private let depths: UnsafeMutablePointer<Float>
    /// Rows and pixels that may still be looked at.
    private var allowance: Int

    /// Far more than models need whose triangles lie beside one another: some seconds.
    static let mostWork = 3_000_000_000

    /// - Parameter work: rows and pixels that may be looked at, each time that a triangle lies there.
    init(_ view: Viewpoint, side: Int, work: Int = mostWork) throws(PluginError) {
        allowance = work
        self.view = view
        self.side = side
        bitmap = try Bitmap(width: side, height: side, format: .bgraPremultiplied)
        depths = .allocate(capacity: side * side)
        depths.initialize(repeating: -.infinity, count: side * side)
    }

    deinit { depths.deallocate() }

    /// - Returns: the model, with nothing behind it.
    /// - Throws: `limitExceeded` when too many triangles cover one another.
    consuming func paint(_ mesh: Mesh) throws(PluginError) -> Bitmap {
        let bitmap = bitmap
        let stride = bitmap.bytesPerRow / 4
        try bitmap.withUnsafeMutableBytes { (bytes) throws(PluginError) in
            let pixels = bytes.assumingMemoryBound(to: UInt32.self)
            if mesh.kind == .cloud { return dots(of: mesh, pixels, stride) }
            try mesh.forEachTriangle { (a, b, c) throws(PluginError) in
                try draw(mesh, a, b, c, pixels, stride)
            }
        }
        return bitmap
    }

    // MARK: Triangles

    @inline(__always) private mutating func draw(
        _ mesh: Mesh, _ a: Int, _ b: Int, _ c: Int, _ pixels: UnsafeMutableBufferPointer<UInt32>, _ stride: Int
    ) throws(PluginError) {
        let (p, q, r) = (mesh.points[a], mesh.points[b], mesh.points[c])
        guard Viewpoint.isSeen(p), Viewpoint.isSeen(q), Viewpoint.isSeen(r) else { return }
        let corners = Self.sorted(view.place(p), view.place(q), view.place(r))
        // Rows whose middle lies between the uppermost and the lowest corner.
        let first = max(0, Int((corners.0.y - 0.5).rounded(.up)))
        let last = min(side - 1, Int((corners.2.y - 0.5).rounded(.down)))
        guard first <= last else { return }
        guard let surface = Surface(corners), let normal = Self.normal(p, q, r) else { return }
        let colour = Self.colour(of: mesh, a, b, c)
        let shade = shaded(colour, normal)
        for row in first...last {
            let y = Float(row) + 0.5
            let one = Self.crossing(corners.0, corners.2, y)
            let other =
                y < corners.1.y ? Self.crossing(corners.0, corners.1, y) : Self.crossing(corners.1, corners.2, y)
            let from = max(0, Int((min(one, other) - 0.5).rounded(.up)))
            let to = min(side - 1, Int((max(one, other) - 0.5).rounded(.down)))
            allowance -= 1 + max(0, to - from)
            guard from <= to else { continue }
            for column in from...to {
                let depth = surface.depth(Float(column) + 0.5, y)
                let at = row * side + column
                guard depth > depths[at] else { continue }
                depths[at] = depth
                pixels[row * stride + column] = shade
            }
        }
        guard allowance > 0 else {
            throw PluginError(.limitExceeded, "too many triangles of the model cover one another: it is not drawn")
        }
    }

    /// By their height in the picture, the uppermost first; of the same height by the others, so that two triangles compute
    /// the edge that they share alike.
    @inline(__always) private static func sorted(
        _ a: SIMD3<Float>, _ b: SIMD3<Float>, _ c: SIMD3<Float>
    ) -> (SIMD3<Float>, SIMD3<Float>, SIMD3<Float>) {
        func isAbove(_ a: SIMD3<Float>, _ b: SIMD3<Float>) -> Bool { a.y < b.y || a.y == b.y && a.x < b.x }
        let (a, b) = isAbove(b, a) ? (b, a) : (a, b)
        if isAbove(c, a) { return (c, a, b) }
        return isAbove(c, b) ? (a, c, b) : (a, b, c)
    }

    /// Where an edge is in the middle of a row.
    @inline(__always) private static func crossing(_ upper: SIMD3<Float>, _ lower: SIMD3<Float>, _ y: Float) -> Float {
        let height = lower.y - upper.y
        guard height > 0 else { return upper.x }
        let x = upper.x + (lower.x - upper.x) * ((y - upper.y) / height)
        return min(max(x, min(upper.x, lower.x)), max(upper.x, lower.x))
    }

    /// How near the points of a triangle are.
    private struct Surface {
        private let origin: SIMD3<Float>
        private let slope: SIMD2<Float>
        private let range: ClosedRange<Float>

        /// - Returns: `nil` for one that is seen from its edge, or has none.
        @inline(__always) init?(_ corners: (SIMD3<Float>, SIMD3<Float>, SIMD3<Float>)) {
            let (one, other) = (corners.1 - corners.0, corners.2 - corners.0)
            let area = one.x * other.y - one.y * other.x
            guard abs(area) > 1e-12 else { return nil }
            origin = corners.0
            slope = SIMD2(one.z * other.y - other.z * one.y, other.z * one.x - one.z * other.x) / area
            let (a, b, c) = (corners.0.z, corners.1.z, corners.2.z)
            range = min(a, b, c)...max(a, b, c)
        }

        @inline(__always) func depth(_ x: Float, _ y: Float) -> Float {
            let depth = origin.z + (x - origin.x) * slope.x + (y - origin.y) * slope.y
            // Nearly from its edge, a step to the next pixel leads far beyond the corners.
            return min(max(depth, range.lowerBound), range.upperBound)
        }
    }

    // MARK: Light

    /// Where a surface looks: there are files in which half of all triangles are turned inside out, so both sides are
    /// lit.
    /// - Returns: `nil` where there is no surface.
    @inline(__always) private static func normal(
        _ p: SIMD3<Float>, _ q: SIMD3<Float>, _ r: SIMD3<Float>
    ) -> SIMD3<Float>? {
        var (one, other) = (q - p, r - p)
        // Of any size: products of what is tiny or huge are none.
        let size = max(abs(one.x), abs(one.y), abs(one.z), abs(other.x), abs(other.y), abs(other.z))
        guard size > 0, size.isFinite else { return nil }
        (one, other) = (one / size, other / size)
        let cross = SIMD3(
            one.y * other.z - one.z * other.y, one.z * other.x - one.x * other.z, one.x * other.y - one.y * other.x)
        let length = (cross * cross).sum().squareRoot()
        return length > 0 ? cross / length : nil
    }

    @inline(__always) private static func colour(of mesh: Mesh, _ a: Int, _ b: Int, _ c: Int) -> SIMD3<Float> {
        guard !mesh.colours.isEmpty else {
            return SIMD3(Float(Mesh.plain.x), Float(Mesh.plain.y), Float(Mesh.plain.z))
        }
        let sum =
            SIMD4<UInt16>(truncatingIfNeeded: mesh.colours[a]) &+ SIMD4<UInt16>(truncatingIfNeeded: mesh.colours[b])
            &+ SIMD4<UInt16>(truncatingIfNeeded: mesh.colours[c])
        return SIMD3(Float(sum.x), Float(sum.y), Float(sum.z)) / 3
    }

    /// A colour under the lamp, with some light from the sky.
    @inline(__always) private func shaded(_ colour: SIMD3<Float>, _ normal: SIMD3<Float>) -> UInt32 {
        let facing = (normal * view.nearer).sum() < 0 ? -normal : normal
        let lamp = max(0, (facing * view.light).sum())
        let sky = facing.z * 0.5 + 0.5
        return Self.opaque(colour * (0.40 + 0.20 * sky + 0.48 * lamp))
    }

    @inline(__always) private static func opaque(_ colour: SIMD3<Float>) -> UInt32 {
        let bytes = pointwiseMin(colour, SIMD3(repeating: 255))
        return 0xFF00_0000 | UInt32(bytes.x) << 16 | UInt32(bytes.y) << 8 | UInt32(bytes.z)
    }

    // MARK: Points

    /// Each point as a square dot, larger where there are few; those behind others are darker.
    private mutating func dots(of mesh: Mesh, _ pixels: UnsafeMutableBufferPointer<UInt32>, _ stride: Int) {
        let each = Float(side * side) / Float(max(1, mesh.points.count))
        let size = max(1, min(side / 64 + 1, Int((each.squareRoot() * 1.2).rounded())))
        for (index, point) in mesh.points.enumerated() where Viewpoint.isSeen(point) {
            let place = view.place(point)
            guard 0...Float(side) ~= place.x, 0...Float(side) ~= place.y else { continue }
            let colour = mesh.colours.isEmpty ? Mesh.plain &- 60 : mesh.colours[index]
            let dot = Self.opaque(SIMD3(Float(colour.x), Float(colour.y), Float(colour.z)))
            let (x, y) = (Int(place.x) - size / 2, Int(place.y) - size / 2)
            let columns = (x..<x + size).clamped(to: 0..<side)
            for row in (y..<y + size).clamped(to: 0..<side) {
                for column in columns where place.z > depths[row * side + column] {
                    depths[row * side + column] = place.z
                    pixels[row * stride + column] = dot
                }
            }
        }
    }
}

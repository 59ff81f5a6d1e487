/// The light that models stand in: a lamp on the left above who looks, a weak one on the right, and the sky.
struct Light {
    /// Towards the lamps, and towards who looks.
    private let lamp, fill, nearer: SIMD3<Float>

    init(_ view: Viewpoint) {
        lamp = (view.right * -0.45 + view.up * 0.62 + view.nearer * 0.65).unit
        fill = (view.right * 0.9 + view.up * -0.1 + view.nearer * 0.5).unit
        nearer = view.nearer
    }

    /// How bright a surface is.
    /// - Parameter normal: where it looks, as seen from its side that is nearer; of length one.
    @inline(__always) func on(_ normal: SIMD3<Float>) -> Float {
        let lit = max(0, (normal * lamp).sum()), filled = max(0, (normal * fill).sum())
        let sky = normal.z * 0.5 + 0.5
        return 0.41 + 0.20 * sky + 0.43 * lit + 0.05 * filled
    }

    /// Whether a side that looks there is turned to who looks.
    @inline(__always) func isSeen(_ normal: SIMD3<Float>) -> Bool { (normal * nearer).sum() >= 0 }

    /// Where a triangle looks, by its corners counterclockwise as seen from outside.
    /// - Returns: `nil` where there is no surface.
    @inline(__always) static func normal(
        _ p: SIMD3<Float>, _ q: SIMD3<Float>, _ r: SIMD3<Float>
    ) -> SIMD3<Float>? {
        var (one, other) = (q - p, r - p)
        // Of any size: products of what is tiny or huge are none.
        let size = max(abs(one.x), abs(one.y), abs(one.z), abs(other.x), abs(other.y), abs(other.z))
        guard size > 0, size.isFinite else { return nil }
        (one, other) = (one / size, other / size)
        let cross = one.cross(other)
        let length = (cross * cross).sum().squareRoot()
        return length > 0 ? cross / length : nil
    }
}

extension SIMD3<Float> {
    /// The same direction, of length one.
    fileprivate var unit: Self { self / (self * self).sum().squareRoot() }
}

/// Where a part of a model stands in the whole: turned, stretched and moved.
package struct Placement {
    /// What becomes of one step along each axis, and of the origin.
    package var x, y, z, origin: SIMD3<Float>

    /// Where it is, unless something else is said.
    package init(
        x: SIMD3<Float> = [1, 0, 0], y: SIMD3<Float> = [0, 1, 0], z: SIMD3<Float> = [0, 0, 1],
        origin: SIMD3<Float> = .zero
    ) {
        (self.x, self.y, self.z, self.origin) = (x, y, z, origin)
    }

    /// Where it is.
    package static let identity = Self()
    /// From models whose y axis points up.
    package static let upright = Self(x: [1, 0, 0], y: [0, 0, 1], z: [0, -1, 0])

    /// What ``upright`` makes of a point.
    package static func upright(_ place: SIMD3<Double>) -> SIMD3<Double> { SIMD3(place.x, -place.z, place.y) }
    /// What ``upright`` makes of a direction.
    package static func upright(_ direction: SIMD3<Float>) -> SIMD3<Float> {
        SIMD3(direction.x, -direction.z, direction.y)
    }

    @inline(__always) package func callAsFunction(_ point: SIMD3<Float>) -> SIMD3<Float> {
        x * point.x + y * point.y + z * point.z + origin
    }

    /// First the inner one, then this.
    package func of(_ inner: Self) -> Self {
        let moved = self(inner.origin)
        return Self(x: self(inner.x) - origin, y: self(inner.y) - origin, z: self(inner.z) - origin, origin: moved)
    }

    /// A placement for directions that stand upright on surfaces, as these stand on them afterwards. Of any length, and on
    /// either side.
    package var ofNormals: Self { Self(x: y.cross(z), y: z.cross(x), z: x.cross(y)) }

    /// Whether left and right are exchanged, so that triangles go round the other way.
    package var isMirrored: Bool { (x.cross(y) * z).sum() < 0 }
}

extension SIMD3 where Scalar: FloatingPoint {
    /// The direction that stands upright on two others.
    @inline(__always) package func cross(_ other: Self) -> Self {
        Self(y * other.z - z * other.y, z * other.x - x * other.z, x * other.y - y * other.x)
    }
}

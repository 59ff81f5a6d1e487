/// Where a model is drawn: pixels, and how near what they show is. Does not own its memory.
struct Canvas {
    /// Blue, green, red, alpha; colours multiplied by alpha.
    let pixels: UnsafeMutablePointer<SIMD4<UInt8>>
    /// Pixels from one row to the next.
    let stride: Int
    let depths: UnsafeMutablePointer<Float>
    /// Pixels of a row, and rows.
    let side: Int

    /// A colour as a pixel.
    /// - Parameter colour: blue, green, red, alpha, from 0 to 255.
    @inline(__always) static func pixel(_ colour: SIMD4<Float>) -> SIMD4<UInt8> {
        let colour = pointwiseMax(pointwiseMin(colour, SIMD4(repeating: 255)), .zero)
        return SIMD4(UInt8(colour.x), UInt8(colour.y), UInt8(colour.z), UInt8(colour.w))
    }

    /// Lays a colour over a pixel.
    /// - Parameter colour: as ``pixel(_:)`` takes it, multiplied by its alpha.
    @inline(__always) func lay(_ colour: SIMD4<Float>, over at: Int) {
        let below = SIMD4<Float>(pixels[at])
        pixels[at] = Self.pixel(colour + below * (1 - colour.w / 255))
    }

    /// Columns whose middle lies between two edges of a triangle in a row; empty where there are none.
    /// - Parameters:
    ///   - corners: sorted, see ``sorted(_:_:_:)``.
    ///   - y: the middle of the row.
    @inline(__always) func columns(
        _ corners: (SIMD3<Float>, SIMD3<Float>, SIMD3<Float>), _ y: Float
    ) -> Range<Int> {
        let one = Self.crossing(corners.0, corners.2, y)
        let other = y < corners.1.y ? Self.crossing(corners.0, corners.1, y) : Self.crossing(corners.1, corners.2, y)
        let from = max(0, Int((min(one, other) - 0.5).rounded(.up)))
        let to = min(side - 1, Int((max(one, other) - 0.5).rounded(.down)))
        return from..<max(from, to + 1)
    }

    /// Where an edge is in the middle of a row.
    @inline(__always) private static func crossing(_ upper: SIMD3<Float>, _ lower: SIMD3<Float>, _ y: Float) -> Float {
        let height = lower.y - upper.y
        guard height > 0 else { return upper.x }
        let x = upper.x + (lower.x - upper.x) * ((y - upper.y) / height)
        return min(max(x, min(upper.x, lower.x)), max(upper.x, lower.x))
    }

    /// By their height in the picture, the uppermost first; of the same height by the others, so that two triangles compute
    /// the edge that they share alike.
    @inline(__always) static func sorted(
        _ a: SIMD3<Float>, _ b: SIMD3<Float>, _ c: SIMD3<Float>
    ) -> (SIMD3<Float>, SIMD3<Float>, SIMD3<Float>) {
        func isAbove(_ a: SIMD3<Float>, _ b: SIMD3<Float>) -> Bool { a.y < b.y || a.y == b.y && a.x < b.x }
        let (a, b) = isAbove(b, a) ? (b, a) : (a, b)
        if isAbove(c, a) { return (c, a, b) }
        return isAbove(c, b) ? (a, c, b) : (a, b, c)
    }
}

/// Values that change evenly over a triangle in the picture.
struct Slope {
    private let start: SIMD2<Float>
    private let value, right, down, least, most: SIMD4<Float>

    /// - Parameters:
    ///   - corners: where the triangle is in the picture.
    ///   - values: what is there.
    /// - Returns: `nil` for one that is seen from its edge, or has none.
    @inline(__always) init?(
        _ corners: (SIMD3<Float>, SIMD3<Float>, SIMD3<Float>), _ values: (SIMD4<Float>, SIMD4<Float>, SIMD4<Float>)
    ) {
        let (one, other) = (corners.1 - corners.0, corners.2 - corners.0)
        let area = one.x * other.y - one.y * other.x
        guard abs(area) > 1e-12 else { return nil }
        start = SIMD2(corners.0.x, corners.0.y)
        value = values.0
        let (p, q) = (values.1 - values.0, values.2 - values.0)
        right = (p * other.y - q * one.y) / area
        down = (q * one.x - p * other.x) / area
        least = pointwiseMin(values.0, pointwiseMin(values.1, values.2))
        most = pointwiseMax(values.0, pointwiseMax(values.1, values.2))
    }

    /// The value at a place. Nearly from a triangle's edge, a step to the next pixel leads far beyond the corners' values,
    /// which are never left.
    @inline(__always) func at(_ x: Float, _ y: Float) -> SIMD4<Float> {
        let value = value + right * (x - start.x) + down * (y - start.y)
        return pointwiseMax(pointwiseMin(value, most), least)
    }

    /// How much of the first two values' area lies in a pixel.
    @inline(__always) var share: Float { abs(right.x * down.y - right.y * down.x) }
}

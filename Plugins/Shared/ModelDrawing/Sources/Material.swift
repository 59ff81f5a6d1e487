/// What a stretch of triangles is made of.
package struct Material {
    /// What lies behind it is seen…
    package enum Cover {
        /// … nowhere.
        case opaque
        /// … where its alpha is less than this, which is 0 to 1.
        case cut(Float)
        /// … through it, the less the higher its alpha is.
        case veil
    }

    /// Red, green, blue in sRGB's code and alpha, each 0 to 1: what colours of points and of the texture are multiplied by.
    package var colour = SIMD4<Float>(repeating: 1)
    package var cover = Cover.opaque
    /// Whether triangles are seen from behind, too.
    package var isDoubleSided = true
    /// Whether its colours are shown as they are, without light and shade.
    package var isUnlit = false
    /// A picture on it, and how it lies there.
    package var texture: Texture?
    package var laying = Laying()

    /// - Parameter colour: red, green, blue in sRGB's code and alpha, each 0 to 1.
    package init(colour: SIMD4<Float> = SIMD4(repeating: 1)) { self.colour = colour }

    /// Of files that name no colour.
    package static var plain: Self {
        Self(colour: SIMD4(Float(Mesh.plain.x), Float(Mesh.plain.y), Float(Mesh.plain.z), 255) / 255)
    }

    /// How a texture lies on its triangles.
    package struct Laying {
        /// What is seen beyond the texture's edges, and between its texels when they are large.
        package enum Edge { case again, mirrored, border }
        package var across = Edge.again, down = Edge.again
        package var isBlocky = false
        /// Where in the texture a point's coordinates lie.
        package var x = SIMD2<Float>(1, 0), y = SIMD2<Float>(0, 1), origin = SIMD2<Float>.zero

        package init() {}

        @inline(__always) package func callAsFunction(_ place: SIMD2<Float>) -> SIMD2<Float> {
            let laid = x * place.x + y * place.y + origin
            // What is no number is not less than anything.
            return abs(laid.x) < Self.farthest && abs(laid.y) < Self.farthest ? laid : .zero
        }

        /// Beyond, steps between numbers are too large for a texture.
        private static let farthest: Float = 1e5
    }
}

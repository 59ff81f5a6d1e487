internal import VitrineKit

/// How triangles of a stretch are drawn.
struct Brush {
    let material: Material
    /// The material's colour in the order of pixels: blue, green, red, alpha.
    let colour: SIMD4<Float>
    /// Whether those are left out that are seen from behind, and which these are.
    let culls: Bool, isMirrored: Bool
    /// Whether only what is seen through is drawn, over everything else.
    var isLast = false
    /// Of what is seen through: from which alpha on it hides what is behind it, and up to which nobody sees it.
    static let hiding: Float = 0.98, nothing: Float = 0.004

    init(_ material: Material, _ stretch: Mesh.Stretch, culls: Bool) {
        self.material = material
        let colour = material.colour
        self.colour = SIMD4(colour.z, colour.y, colour.x, colour.w)
        self.culls = culls && !material.isDoubleSided
        isMirrored = stretch.isMirrored
    }
}

extension ModelPainter {
    enum Outcome {
        case done
        /// Some of it hides not all of what is behind it, and waits to be drawn when all that is there.
        case seenThrough
    }

    @inline(__always) mutating func draw(
        _ triangle: Int, of mesh: Mesh, _ brush: Brush, _ canvas: Canvas
    ) throws(PluginError) -> Outcome {
        let (a, b, c) = mesh.corners(of: triangle)
        let (p, q, r) = (mesh.points[a], mesh.points[b], mesh.points[c])
        guard Viewpoint.isSeen(p), Viewpoint.isSeen(q), Viewpoint.isSeen(r) else { return .done }
        let places = (view.place(p), view.place(q), view.place(r))
        // Rows whose middle lies between the uppermost and the lowest corner.
        let first = max(0, Int((min(places.0.y, places.1.y, places.2.y) - 0.5).rounded(.up)))
        let last = min(canvas.side - 1, Int((max(places.0.y, places.1.y, places.2.y) - 0.5).rounded(.down)))
        guard first <= last, let normal = Light.normal(p, q, r) else { return .done }
        // There are files in which half of all triangles are turned inside out: where nothing is left out, both sides are
        // lit.
        let isFront = light.isSeen(normal)
        if brush.culls, isFront == brush.isMirrored { return .done }
        let tints = tints(of: mesh, (a, b, c), brush, isFront ? normal : -normal)
        var area = Area(corners: Canvas.sorted(places.0, places.1, places.2), rows: first...last)
        if brush.material.texture == nil, tints.0 == tints.1, tints.0 == tints.2, brush.hides(tints.0.w) {
            fill(&area, (places.0, places.1, places.2), tints.0, canvas)
        } else {
            let coordinates = coordinates(of: mesh, (a, b, c), brush)
            fill(&area, places, tints, coordinates, brush, canvas)
        }
        allowance -= area.work
        guard allowance > 0 else {
            throw PluginError(.limitExceeded, "too many triangles of the model cover one another: it is not drawn")
        }
        isDrawn = true
        return area.isSeenThrough ? .seenThrough : .done
    }

    /// Of the picture, what a triangle covers.
    fileprivate struct Area {
        let corners: (SIMD3<Float>, SIMD3<Float>, SIMD3<Float>)
        let rows: ClosedRange<Int>
        var work = 0
        var isSeenThrough = false
    }

    // MARK: Colours

    /// The colours of a triangle's corners under the light: blue, green, red, alpha from 0 to about 1.
    @inline(__always) private func tints(
        of mesh: Mesh, _ corners: (Int, Int, Int), _ brush: Brush, _ normal: SIMD3<Float>
    ) -> (SIMD4<Float>, SIMD4<Float>, SIMD4<Float>) {
        let flat = brush.material.isUnlit ? 1 : light.on(normal)
        func tint(_ point: Int) -> SIMD4<Float> {
            let own = mesh.colours.isEmpty ? mesh.unpainted : mesh.colours[point]
            var tint = SIMD4(Float(own.z), Float(own.y), Float(own.x), Float(own.w)) * (1 / 255) * brush.colour
            let bright =
                mesh.normals.isEmpty || brush.material.isUnlit ? flat : smooth(mesh.normals[point], normal, flat)
            tint *= SIMD4(bright, bright, bright, 1)
            return tint
        }
        return (tint(corners.0), tint(corners.1), tint(corners.2))
    }

    /// The light where a surface looks somewhere else than its triangle.
    @inline(__always) private func smooth(_ packed: SIMD4<Int8>, _ normal: SIMD3<Float>, _ flat: Float) -> Float {
        let own = SIMD3(Float(packed.x), Float(packed.y), Float(packed.z)) / 127
        let facing = (own * normal).sum()
        // Of one that stands upright on its triangle, nobody knows the side.
        guard abs(facing) > 0.05 else { return flat }
        return light.on(facing < 0 ? -own : own)
    }

    @inline(__always) private func coordinates(
        of mesh: Mesh, _ corners: (Int, Int, Int), _ brush: Brush
    ) -> (SIMD2<Float>, SIMD2<Float>, SIMD2<Float>) {
        guard !mesh.textures.isEmpty, brush.material.texture != nil else { return (.zero, .zero, .zero) }
        let laying = brush.material.laying
        return (laying(mesh.textures[corners.0]), laying(mesh.textures[corners.1]), laying(mesh.textures[corners.2]))
    }

    // MARK: Pixels

    /// Fills a triangle of one colour.
    @inline(__always) private func fill(
        _ area: inout Area, _ places: (SIMD3<Float>, SIMD3<Float>, SIMD3<Float>), _ tint: SIMD4<Float>,
        _ canvas: Canvas
    ) {
        guard
            let slope = Slope(
                places,
                (SIMD4(0, 0, places.0.z, 0), SIMD4(0, 0, places.1.z, 0), SIMD4(0, 0, places.2.z, 0)))
        else { return }
        var colour = tint * 255
        colour.w = 255
        let pixel = Canvas.pixel(colour)
        for row in area.rows {
            let y = Float(row) + 0.5
            let columns = canvas.columns(area.corners, y)
            area.work += 1 + columns.count
            for column in columns {
                let depth = slope.at(Float(column) + 0.5, y).z
                guard depth > canvas.depths[row * canvas.side + column] else { continue }
                canvas.depths[row * canvas.side + column] = depth
                canvas.pixels[row * canvas.stride + column] = pixel
            }
        }
    }

    /// Fills a triangle whose colour changes.
    private func fill(
        _ area: inout Area, _ places: (SIMD3<Float>, SIMD3<Float>, SIMD3<Float>),
        _ tints: (SIMD4<Float>, SIMD4<Float>, SIMD4<Float>),
        _ laid: (SIMD2<Float>, SIMD2<Float>, SIMD2<Float>), _ brush: Brush, _ canvas: Canvas
    ) {
        let values = (
            SIMD4(laid.0.x, laid.0.y, places.0.z, 0), SIMD4(laid.1.x, laid.1.y, places.1.z, 0),
            SIMD4(laid.2.x, laid.2.y, places.2.z, 0)
        )
        guard let slope = Slope(places, values), let tint = Slope(places, tints) else { return }
        let material = brush.material
        let texture = material.texture?.level(slope.share)
        for row in area.rows {
            let y = Float(row) + 0.5
            let columns = canvas.columns(area.corners, y)
            area.work += 1 + columns.count
            for column in columns {
                let x = Float(column) + 0.5, value = slope.at(x, y), at = row * canvas.side + column
                // What lies right on a surface, such as a label, is before it.
                guard value.z > (brush.isLast ? canvas.depths[at] - 0.05 : canvas.depths[at]) else { continue }
                let texel = texture?.colour(SIMD2(value.x, value.y), material.laying) ?? SIMD4(repeating: 255)
                switch brush.pixel(tint.at(x, y), texel) {
                case .hidden: continue
                case .later: area.isSeenThrough = true
                case .over(let colour): canvas.lay(colour, over: row * canvas.stride + column)
                case .opaque(let colour):
                    canvas.depths[at] = value.z
                    canvas.pixels[row * canvas.stride + column] = Canvas.pixel(colour)
                }
            }
        }
    }
}

extension Brush {
    /// Whether a triangle of one colour hides all that is behind it.
    @inline(__always) fileprivate func hides(_ alpha: Float) -> Bool {
        switch material.cover {
        case .opaque: true
        case .cut(let least): alpha >= least
        case .veil: alpha >= Self.hiding && !isLast
        }
    }

    /// What becomes of a pixel; colours as ``Canvas/pixel(_:)`` takes them.
    fileprivate enum Pixel {
        case opaque(SIMD4<Float>)
        case hidden
        /// Drawn when all that hides what is behind it is there.
        case later
        case over(SIMD4<Float>)
    }

    /// - Parameters:
    ///   - tint: of the surface and its light, not multiplied by alpha; from 0 to about 1.
    ///   - texel: of the texture; from 0 to 255, multiplied by its alpha.
    @inline(__always) fileprivate func pixel(_ tint: SIMD4<Float>, _ texel: SIMD4<Float>) -> Pixel {
        var colour = tint * texel
        let alpha = colour.w
        switch material.cover {
        case .opaque: break
        case .cut(let least):
            guard alpha >= least * 255, alpha > 0 else { return .hidden }
            colour *= 255 / texel.w
        case .veil:
            guard alpha < Self.hiding * 255 else {
                colour *= 255 / texel.w
                colour.w = 255
                return isLast ? .hidden : .opaque(colour)
            }
            guard alpha >= Self.nothing * 255 else { return .hidden }
            colour *= tint.w
            colour.w = alpha
            return isLast ? .over(colour) : .later
        }
        colour.w = 255
        return .opaque(colour)
    }
}

internal import ModelDrawing

/// What the points of a file in PLY say of themselves, by the names of their properties.
struct PLYVertex {
    /// Numbers of one point, in the order of the names.
    typealias Values = SIMD16<Double>

    /// For each property of the file where its number belongs; `nil` for one that says nothing here.
    let slots: [Int?]
    private let hasColour, hasNormal, isByte, isSplat: Bool

    private static let names = [
        "x", "y", "z", "red", "green", "blue", "nx", "ny", "nz", "f_dc_0", "f_dc_1", "f_dc_2", "opacity",
    ]

    /// - Parameter properties: the names, and whether each is a byte.
    init(_ properties: [(name: String, isByte: Bool)]) {
        let slots = properties.map { Self.names.firstIndex(of: Self.usual($0.name)) }
        func hasAll(_ wanted: Range<Int>) -> Bool { wanted.allSatisfy(slots.contains) }
        self.slots = slots
        (hasColour, hasNormal, isSplat) = (hasAll(3..<6), hasAll(6..<9), hasAll(9..<13))
        isByte = properties.contains { Self.usual($0.name) == "red" && $0.isByte }
    }

    /// Some programs write colours by their first letters, or as those of light that is scattered.
    private static func usual(_ name: String) -> String {
        switch name {
        case "r", "diffuse_red": "red"
        case "g", "diffuse_green": "green"
        case "b", "diffuse_blue": "blue"
        default: name
        }
    }

    /// Whether there is anything to be seen at a point: of Gaussian splats, where their opacity (of which the logistic
    /// function is meant) is a tenth or more.
    func isSeen(_ values: Values) -> Bool { !isSplat || values[12] > -2.2 }

    /// Where a point is, with z up. Splats are written as cameras see them, with y down.
    func place(_ values: Values) -> SIMD3<Double> {
        let place = SIMD3(values[0], values[1], values[2])
        return isSplat ? SIMD3(place.x, place.z, -place.y) : Placement.upright(place)
    }

    func traits(_ values: Values) -> Mesh.Traits {
        var traits = Mesh.Traits()
        if hasColour {
            // Bytes, or fractions.
            let colour = SIMD3<Float>(SIMD3(values[3], values[4], values[5]))
            traits.colour = (isByte ? colour / 255 : colour).coded
        } else if isSplat {
            // The first coefficients of spherical harmonics, whose function is half the root of 1/π everywhere.
            let sum = SIMD3<Float>(SIMD3(values[9], values[10], values[11])) * Float(0.5 / Double.pi.squareRoot())
            traits.colour = (sum + 0.5).coded
        }
        if hasNormal, !isSplat {
            traits.normal = Placement.upright(SIMD3<Float>(SIMD3(values[6], values[7], values[8])))
        }
        return traits
    }
}

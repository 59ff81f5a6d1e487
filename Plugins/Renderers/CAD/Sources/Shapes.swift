internal import COpenCascade
internal import ModelDrawing
internal import VitrineKit

/// Shapes that have surfaces of any curvature, as triangles.
enum Shapes {
    /// A way to write them.
    enum Format {
        case step, iges, brep

        /// - Parameter mimeType: one of the plugin's; of others, Open CASCADE's own.
        init(mimeType: String) {
            self =
                switch mimeType {
                case "model/step": .step
                case "model/iges": .iges
                default: .brep
                }
        }

        fileprivate var code: copencascade_format {
            switch self {
            case .step: copencascade_step
            case .iges: copencascade_iges
            case .brep: copencascade_brep
            }
        }

        fileprivate var name: String {
            switch self {
            case .step: "STEP"
            case .iges: "IGES"
            case .brep: "BREP"
            }
        }
    }

    /// What is said of a file beside it.
    struct Use {
        /// Of what has none in the file: red, green, blue in sRGB's code and alpha, each 0 to 1; `nil`: that of all models of
        /// which nothing says it.
        var colour: SIMD4<Float>?
        /// Where what it is in stands, the innermost first.
        var poses: [Pose] = []
        /// Points, and triangles, that are made at most.
        var most = Mesh.mostTriangles
        /// How large what else is drawn is, in the file's unit: nothing is divided finer than that needs.
        var size = 0.0
    }

    /// Adds the triangles of a file to a model.
    /// - Parameter path: where it is.
    /// - Returns: how large it is: its diagonal.
    /// - Throws: `corrupt`, `empty`, `limitExceeded`.
    @discardableResult static func add(
        path: String, _ format: Format, _ use: Use = Use(), to mesh: inout Mesh
    ) throws(PluginError) -> Double {
        var outcome = copencascade_done
        guard let model = copencascade_open(path, format.code, use.most, use.size, &outcome) else {
            throw failure(outcome, format)
        }
        defer { copencascade_close(model) }
        try add(model.pointee, use, to: &mesh)
        return model.pointee.diagonal
    }

    private static func failure(_ outcome: copencascade_outcome, _ format: Format) -> PluginError {
        switch outcome {
        case copencascade_no_memory: PluginError(.limitExceeded, "the model needs more memory than a model may use")
        case copencascade_too_large:
            PluginError(.limitExceeded, "the model has more shapes, points or triangles than are drawn")
        case copencascade_empty: PluginError(.empty, "the model has no surface that could be drawn")
        default:
            PluginError(
                .corrupt,
                "the model cannot be read: the file is no model in \(format.name), or it is damaged or cut off")
        }
    }

    private static func add(_ model: copencascade_model, _ use: Use, to mesh: inout Mesh) throws(PluginError) {
        let first = mesh.points.count
        for point in 0..<model.point_count {
            let at = 3 * point
            var place = SIMD3(model.points[at], model.points[at + 1], model.points[at + 2])
            var normal = SIMD3(model.normals[at], model.normals[at + 1], model.normals[at + 2])
            for pose in use.poses { (place, normal) = (pose(place), SIMD3<Float>(pose.turned(SIMD3<Double>(normal)))) }
            try mesh.add(place: place, Mesh.Traits(normal: normal))
        }
        mesh.unpainted = SIMD4(repeating: 255)
        var materials: [SIMD4<Float>?: Int] = [:]
        for index in 0..<model.part_count {
            let part = model.parts[index]
            let end = index + 1 < model.part_count ? model.parts[index + 1].first_triangle : model.triangle_count
            let named = SIMD4(part.colour.0, part.colour.1, part.colour.2, part.colour.3)
            let colour = part.has_colour ? named : use.colour
            let material = materials[colour] ?? Self.add(Material(named: colour), materials, to: &mesh)
            materials[colour] = material
            mesh.begin(material: material)
            for triangle in part.first_triangle..<end {
                let corners = model.corners + 3 * triangle
                try mesh.add(corners: first + Int(corners[0]), first + Int(corners[1]), first + Int(corners[2]))
            }
        }
    }

    /// - Returns: the material's number, that of another where there are too many.
    private static func add(_ material: Material, _ others: [SIMD4<Float>?: Int], to mesh: inout Mesh) -> Int {
        let number = mesh.add(material)
        return number > 0 ? number : others.values.max() ?? 0
    }
}

extension Material {
    /// What a file names, or what all models are made of that name nothing.
    fileprivate init(named colour: SIMD4<Float>?) {
        self = colour.map { Material(colour: Self.lifted($0)) } ?? .plain
        if self.colour.w < 1 { cover = .veil }
    }

    /// Black shows neither light nor shade, and of a part nothing but its outline.
    private static func lifted(_ colour: SIMD4<Float>) -> SIMD4<Float> {
        let lack = max(0, darkest - max(colour.x, colour.y, colour.z))
        return colour + SIMD4(lack, lack, lack, 0)
    }
    private static let darkest: Float = 0.22
}

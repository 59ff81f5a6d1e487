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

        fileprivate var code: occt_format {
            switch self {
            case .step: occt_step
            case .iges: occt_iges
            case .brep: occt_brep
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

    /// Reads a file.
    /// - Parameters:
    ///   - path: where it is.
    ///   - most: points, and triangles, that are made.
    /// - Throws: `corrupt`, `empty`, `limitExceeded`.
    static func mesh(path: String, _ format: Format, most: Int = Mesh.mostTriangles) throws(PluginError) -> Mesh {
        var outcome = occt_done
        guard let model = occt_open(path, format.code, most, &outcome) else { throw failure(outcome, format) }
        defer { occt_close(model) }
        return try mesh(of: model.pointee)
    }

    private static func failure(_ outcome: occt_outcome, _ format: Format) -> PluginError {
        switch outcome {
        case occt_no_memory: PluginError(.limitExceeded, "the model needs more memory than a model may use")
        case occt_too_large:
            PluginError(.limitExceeded, "the model has more shapes, points or triangles than are drawn")
        case occt_empty: PluginError(.empty, "the model has no surface that could be drawn")
        default:
            PluginError(
                .corrupt,
                "the model cannot be read: the file is no model in \(format.name), or it is damaged or cut off")
        }
    }

    private static func mesh(of model: occt_model) throws(PluginError) -> Mesh {
        var mesh = Mesh()
        mesh.reserve(points: model.point_count)
        for point in 0..<model.point_count {
            let at = 3 * point
            let normal = SIMD3(model.normals[at], model.normals[at + 1], model.normals[at + 2])
            try mesh.add(
                place: SIMD3(model.points[at], model.points[at + 1], model.points[at + 2]), Mesh.Traits(normal: normal))
        }
        mesh.unpainted = SIMD4(repeating: 255)
        var materials: [SIMD4<Float>?: Int] = [:]
        for index in 0..<model.part_count {
            let part = model.parts[index]
            let end = index + 1 < model.part_count ? model.parts[index + 1].first_triangle : model.triangle_count
            let colour = part.has_colour ? SIMD4(part.colour.0, part.colour.1, part.colour.2, part.colour.3) : nil
            let material = materials[colour] ?? mesh.add(Material(named: colour))
            materials[colour] = material
            mesh.begin(material: material)
            for triangle in part.first_triangle..<end {
                let corners = model.corners + 3 * triangle
                try mesh.add(corners: Int(corners[0]), Int(corners[1]), Int(corners[2]))
            }
        }
        return mesh
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

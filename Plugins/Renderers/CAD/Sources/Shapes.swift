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

    /// Adds the triangles of a file to a model.
    /// - Parameters:
    ///   - path: where it is.
    ///   - colour: of what has none in the file: red, green, blue in sRGB's code and alpha, each 0 to 1. Default: that of all
    ///     models of which nothing says it.
    ///   - most: points, and triangles, that are made.
    ///   - mesh: what else is drawn.
    /// - Throws: `corrupt`, `empty`, `limitExceeded`.
    static func add(
        path: String, _ format: Format, colour: SIMD4<Float>? = nil, most: Int = Mesh.mostTriangles, to mesh: inout Mesh
    ) throws(PluginError) {
        var outcome = occt_done
        guard let model = occt_open(path, format.code, most, &outcome) else { throw failure(outcome, format) }
        defer { occt_close(model) }
        try add(model.pointee, colour, to: &mesh)
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

    private static func add(_ model: occt_model, _ usual: SIMD4<Float>?, to mesh: inout Mesh) throws(PluginError) {
        let first = mesh.points.count
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
            let named = SIMD4(part.colour.0, part.colour.1, part.colour.2, part.colour.3)
            let colour = part.has_colour ? named : usual
            let material = materials[colour] ?? mesh.add(Material(named: colour))
            materials[colour] = material
            mesh.begin(material: material)
            for triangle in part.first_triangle..<end {
                let corners = model.corners + 3 * triangle
                try mesh.add(corners: first + Int(corners[0]), first + Int(corners[1]), first + Int(corners[2]))
            }
        }
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

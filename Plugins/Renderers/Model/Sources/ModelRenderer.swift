internal import ArchiveReading
public import VitrineKit

/// Draws models in three dimensions: STL, OBJ, PLY, glTF and 3MF, in one calm light and with nothing behind them.
///
/// No library of Debian draws them without a graphics card or a window. A model's colours are shown where its file
/// names some; what lies in other files is not looked for.
public final class ModelRenderer: Renderer {
    private let maximumPixels: Int
    private let contentLimit: Int64

    /// Loads what libarchive loads late.
    public init(_ environment: RendererEnvironment) throws(PluginError) {
        try ArchiveLibrary.warmUp()
        maximumPixels = environment.maximumPixels
        contentLimit = environment.addressSpace / 2
    }

    /// Draws the model.
    /// - Throws: `empty` when it has no surface, `corrupt`, `unsupported`, `limitExceeded`, `invalidArgument` for a page that
    ///   is not there; and what reading throws.
    public func render(
        _ input: any RandomAccessInput, _ request: RenderRequest
    ) throws(PluginError) -> Rendering {
        guard input.size > 0 else { throw PluginError(.empty, "the model is empty: the file has no bytes") }
        try request.checkPage(of: 1, in: "the model")
        try request.refuseMoment(in: "a model")
        let mesh = try mesh(input, request.mimeType)
        var facts = Facts()
        if mesh.triangles > 0, let name = FactName(rawValue: "triangles") { facts.set(name, Double(mesh.triangles)) }
        return Rendering(try picture(of: mesh, box: request.box), facts: facts)
    }

    private func mesh(_ input: any RandomAccessInput, _ type: String) throws(PluginError) -> Mesh {
        if type == "model/3mf" { return try ThreeMFFile.mesh(input) }
        return try input.withContents(limit: contentLimit) { bytes throws(PluginError) in
            switch type {
            case "model/gltf-binary", "model/gltf+json": try GLTFFile.mesh(bytes)
            case "model/obj": try OBJFile.mesh(bytes)
            case "application/x-ply": try PLYFile.mesh(bytes)
            default: try STLFile.mesh(bytes)
            }
        }
    }

    /// Twice as large and halved, so that edges are smooth, but where that would be very large.
    private func picture(of mesh: Mesh, box: Int) throws(PluginError) -> Bitmap {
        let isSmall = box <= Self.smallSide
        let longest = Int(Double(maximumPixels).squareRoot())
        let side = max(1, min(isSmall ? 2 * box : box, longest))
        guard let view = Viewpoint(of: mesh, side: side) else {
            throw PluginError(.empty, "the model has no surface that could be drawn")
        }
        let bitmap = try ModelPainter(view, side: side).paint(mesh)
        return isSmall && side == 2 * box ? try bitmap.halved() : bitmap
    }

    /// Longest side of pictures that are drawn twice as large.
    private static let smallSide = 1024
}

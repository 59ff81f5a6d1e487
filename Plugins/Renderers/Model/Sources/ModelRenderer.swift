internal import ArchiveReading
internal import ModelDrawing
public import VitrineKit

/// Draws models in three dimensions: STL, OBJ, OFF, PLY, glTF, 3MF, VRML and LAS as they are read here, FBX, COLLADA and some more as Assimp
/// reads them; in one calm light and with nothing behind them.
///
/// No library of Debian draws them without a graphics card or a window. A model's colours and textures are shown where its
/// file holds some; what lies in other files is not looked for.
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
        try input.checkNotEmpty("the model")
        try request.checkSinglePicture(in: "the model")
        let picture = ModelPicture(box: request.box, maximumPixels: maximumPixels)
        let textures = TexturePool(maximumPixels: maximumPixels, side: picture.side)
        return try picture.rendering(of: mesh(input, request.mimeType, textures))
    }

    private func mesh(
        _ input: any RandomAccessInput, _ type: String, _ textures: TexturePool
    ) throws(PluginError) -> Mesh {
        if type == "model/3mf" { return try ThreeMFFile.mesh(input, textures) }
        if type == "application/x-amf", try PackedAMF.isPacked(input) { return try PackedAMF.mesh(input, textures) }
        if Self.scenes.contains(type), try GzipFile.isPacked(input) { return try PackedScene.mesh(input) }
        return try input.withContents(limit: contentLimit) { bytes throws(PluginError) in
            if let format = AssimpFile.Format(mimeType: type) { return try AssimpFile.mesh(bytes, format, textures) }
            return switch type {
            case "model/gltf-binary", "model/gltf+json": try GLTFFile.mesh(bytes, textures)
            case "model/obj": try OBJFile.mesh(bytes)
            case "model/x-off": try OFFFile.mesh(bytes)
            case "application/x-ply": try PLYFile.mesh(bytes)
            case "application/vnd.las": try LASFile.mesh(bytes)
            case _ where Self.scenes.contains(type): try VRMLScene.mesh(bytes)
            default: try STLFile.mesh(bytes)
            }
        }
    }

    private static let scenes: Set = ["model/vrml", "model/x3d+vrml"]
}

internal import COpenCascade
internal import ModelDrawing
internal import PrivateCopies
public import VitrineKit

/// Draws parts of machines as programs for their design exchange them: STEP, IGES, and what Open CASCADE writes itself, which
/// reads all three and divides their surfaces into triangles. In the colours that the file names, in the light of all models.
public final class CADRenderer: Renderer {
    private let maximumPixels: Int
    private let privateFolder: String
    private let copyLimit: Int64

    /// Makes the tables that reading needs.
    /// - Throws: `pluginUnavailable` when the library does not start, or may not write the files that it reads.
    public init(_ environment: RendererEnvironment) throws(PluginError) {
        guard let folder = environment.privateFolder else {
            throw PluginError(
                .pluginUnavailable, "Open CASCADE reads files only, and the plugin has no folder for them")
        }
        privateFolder = folder
        maximumPixels = environment.maximumPixels
        copyLimit = environment.addressSpace / 4
        guard occt_warm_up() else {
            throw PluginError(.pluginUnavailable, "Open CASCADE cannot make the tables that it reads by")
        }
    }

    /// Draws all shapes of the file.
    /// - Throws: `empty` when it has no surface, `corrupt`, `limitExceeded`, `invalidArgument` for a page or a moment; and what
    ///   reading throws.
    public func render(_ input: any RandomAccessInput, _ request: RenderRequest) throws(PluginError) -> Rendering {
        guard input.size > 0 else { throw PluginError(.empty, "the model is empty: the file has no bytes") }
        try request.checkPage(of: 1, in: "the model")
        try request.refuseMoment(in: "a model")
        let copy = try PrivateCopy(
            of: input, in: privateFolder, suffix: "model", limit: copyLimit, for: "Open CASCADE")
        // It is there until all of it is read.
        defer { withExtendedLifetime(copy) {} }
        let mesh = try Shapes.mesh(path: copy.path, Shapes.Format(mimeType: request.mimeType))
        return try ModelPicture(box: request.box, maximumPixels: maximumPixels).rendering(of: mesh)
    }
}

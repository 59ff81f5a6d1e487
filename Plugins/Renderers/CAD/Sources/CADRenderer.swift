internal import ArchiveReading
internal import COpenCascade
internal import ModelDrawing
internal import PrivateCopies
public import VitrineKit

/// Draws parts of machines as programs for their design exchange them: STEP, IGES, and what Open CASCADE writes itself, which
/// reads all three and divides their surfaces into triangles; and documents of FreeCAD, whose shapes are written so. In the
/// colours that the file names, in the light of all models.
public final class CADRenderer: Renderer {
    private let maximumPixels: Int
    private let privateFolder: String
    private let copyLimit: Int64

    /// The type of FreeCAD's documents.
    static let document = "application/x-extension-fcstd"

    /// Makes the tables that reading needs, and loads what libarchive loads late.
    /// - Throws: `pluginUnavailable` when the library does not start, or may not write the files that it reads.
    public init(_ environment: RendererEnvironment) throws(PluginError) {
        guard let folder = environment.privateFolder else {
            throw PluginError(
                .pluginUnavailable, "Open CASCADE reads files only, and the plugin has no folder for them")
        }
        try ArchiveLibrary.warmUp()
        privateFolder = folder
        maximumPixels = environment.maximumPixels
        copyLimit = environment.addressSpace / 4
        guard copencascade_warm_up() else {
            throw PluginError(.pluginUnavailable, "Open CASCADE cannot make the tables that it reads by")
        }
    }

    /// Draws all shapes of the file.
    /// - Throws: `empty` when it has no surface, `corrupt`, `limitExceeded`, `invalidArgument` for a page or a moment; and what
    ///   reading throws.
    public func render(_ input: any RandomAccessInput, _ request: RenderRequest) throws(PluginError) -> Rendering {
        try input.checkNotEmpty("the model")
        try request.checkSinglePicture(in: "the model")
        var mesh = Mesh()
        if request.mimeType == Self.document {
            try add(FreeCADDocument(input), to: &mesh)
        } else {
            let copy = try PrivateCopy(
                of: input, in: privateFolder, suffix: "model", limit: copyLimit, for: "Open CASCADE")
            // It is there until all of it is read.
            defer { withExtendedLifetime(copy) {} }
            try Shapes.add(path: copy.path, Shapes.Format(mimeType: request.mimeType), to: &mesh)
        }
        return try ModelPicture(box: request.box, maximumPixels: maximumPixels).rendering(of: mesh)
    }

    /// Adds what a document shows. Of drawings and lines among it nothing is seen, and what is damaged is left out if there is
    /// anything else.
    private func add(_ document: FreeCADDocument, to mesh: inout Mesh) throws(PluginError) {
        var use = Shapes.Use(), failure: PluginError?, bytes = 0
        for part in document.parts {
            (use.colour, use.poses, use.most) = (part.colour, part.poses, Mesh.mostTriangles - mesh.triangles)
            do throws(PluginError) {
                let shape = try document.shape(of: part)
                bytes += shape.count
                guard bytes <= copyLimit else {
                    throw PluginError(
                        .limitExceeded, "the document of FreeCAD has more than \(copyLimit) bytes of shapes")
                }
                let copy = try PrivateCopy(in: privateFolder, suffix: "model") { file throws(PluginError) in
                    try PrivateCopy.write(shape, to: file)
                }
                defer { withExtendedLifetime(copy) {} }
                use.size = max(use.size, try Shapes.add(path: copy.path, .brep, use, to: &mesh))
            } catch {
                switch error.code {
                case .empty: break
                case .corrupt: failure = failure ?? error
                default: throw error
                }
            }
        }
        if mesh.triangles == 0, let failure { throw failure }
    }
}

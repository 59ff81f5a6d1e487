internal import ArchiveReading
internal import MIME
internal import PackagePreviews
internal import PictureDecoding
internal import PictureTraits
public import VitrineKit
internal import WorkDocuments

/// Draws files of programs that nothing here reads by the pictures that these programs leave in them: zip files of iWork,
/// Krita, OpenRaster, 3MF, FreeCAD, Adobe XD, Hangul and CorelDRAW, compound files of Hangul, SolidWorks and Revit, drawings of
/// AutoCAD, models of SketchUp, scenes of Blender, documents of Affinity and InDesign, paintings of Clip Studio Paint and
/// Paint.NET, code for 3D printers, and cards of persons with their photographs.
///
/// What is no more than a preview may be smaller than what is asked for; it is never enlarged.
public final class PackageRenderer: Renderer {
    private let decoder: PictureDecoder
    /// Those of iWork, of which LibreOffice draws what else there is.
    private static let workTypes: Set = [
        "application/vnd.apple.keynote", "application/vnd.apple.numbers", "application/vnd.apple.pages",
    ]
    private static let workContents = Set(WorkDocument.contents.map { Array($0.utf8) })
    private static let freeCAD = "application/x-extension-fcstd"

    /// Loads what libarchive and the C library load late.
    public init(_ environment: RendererEnvironment) throws(PluginError) {
        try ArchiveLibrary.warmUp()
        Charset.warmUp()
        decoder = PictureDecoder(maximumPixels: environment.maximumPixels)
    }

    /// Draws the smallest picture that is large enough, else the largest.
    /// - Throws: `unsupported` where there is none, or none but previews when these are not wanted; `empty`, `locked`,
    ///   `corrupt`, `limitExceeded`, `invalidArgument` for a page that is not there, or what the input throws.
    public func render(_ input: any RandomAccessInput, _ request: RenderRequest) throws(PluginError) -> Rendering {
        if Self.workTypes.contains(request.mimeType) { return try firstPage(input, request) }
        try request.checkSinglePicture(in: "the file")
        try input.checkNotEmpty("the file")
        let place = PreviewPlace(try input.head(PreviewPlace.headLength), type: request.mimeType)
        let isCard = place == nil && request.mimeType == ContactCard.type
        guard place != nil || isCard else {
            if request.mimeType == Self.freeCAD { return try view(input, request) }
            return try PackagePreview(of: try Archive(input), decoder, request).rendering
        }
        guard request.embedded != .never else {
            throw PluginError(.unsupported, "the file has nothing in it that can be drawn but a preview")
        }
        guard let place else { return try ContactCard.preview(input, request, decoder) }
        let bitmap = try place.preview(input, box: request.box, decoder)
        var rendering = Rendering(bitmap)
        rendering.embedded = PackagePreview.kind
        return rendering
    }

    /// The first page of a document of iWork, as its program drew it.
    /// - Throws: `unsupported` for all else that can be known of it, and where it is locked.
    private func firstPage(_ input: any RandomAccessInput, _ request: RenderRequest) throws(PluginError) -> Rendering {
        guard request.page == 0, !request.wantsPageText else {
            throw PluginError(
                .unsupported,
                "of a document of iWork nothing but its preview is read here, and that is the first page without text")
        }
        try request.checkSinglePicture(in: "the file")
        try input.checkNotEmpty("the file")
        let archive = try Archive(input)
        guard !archive.members.contains(where: { $0.name == Array(WorkDocument.verifier.utf8) }) else {
            throw PluginError(.unsupported, "the document of iWork is protected by a password")
        }
        guard archive.members.contains(where: { Self.workContents.contains($0.name) }) else {
            throw archive.lacks(
                PluginError(.unsupported, "the file is called a document of iWork, but has no content of one in it"))
        }
        let preview = try PackagePreview(of: archive, decoder, request, named: PackagePreview.ofWork)
        let rendering = preview.rendering
        guard rendering.bitmap.hasSeveralColours else {
            throw PluginError(.unsupported, "the preview in the document of iWork shows nothing")
        }
        return rendering
    }

    /// The view of a model that FreeCAD saved.
    private func view(_ input: any RandomAccessInput, _ request: RenderRequest) throws(PluginError) -> Rendering {
        let none = PluginError(.unsupported, "the document of FreeCAD was saved without a view of the model")
        do throws(PluginError) {
            let rendering = try PackagePreview(of: try Archive(input), decoder, request).rendering
            guard !rendering.bitmap.hasClearCorner else { throw none }
            return rendering
        } catch { throw error.code == .unsupported && request.embedded != .never ? none : error }
    }
}

extension Bitmap {
    /// Whether nothing is at its upper left corner. FreeCAD saves views with what is behind them, and its sign, where it has no
    /// view, with nothing.
    fileprivate var hasClearCorner: Bool {
        !isOpaque && withUnsafeMutableBytes { $0.count >= 4 && $0[3] == 0 }
    }
}

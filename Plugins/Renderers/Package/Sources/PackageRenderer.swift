internal import ArchiveReading
internal import MIME
internal import PackagePreviews
internal import PictureDecoding
public import VitrineKit

/// Draws files of programs that nothing here reads by the pictures that these programs leave in them: zip files of iWork,
/// Krita, OpenRaster, 3MF, FreeCAD, Adobe XD, Hangul and CorelDRAW, compound files of Hangul, SolidWorks and Revit, drawings of
/// AutoCAD, models of SketchUp, scenes of Blender, documents of Affinity and InDesign, paintings of Clip Studio Paint and
/// Paint.NET, code for 3D printers, and cards of persons with their photographs.
///
/// What is no more than a preview may be smaller than what is asked for; it is never enlarged.
public final class PackageRenderer: Renderer {
    private let decoder: PictureDecoder
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

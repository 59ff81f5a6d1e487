internal import PictureTraits
public import VitrineKit

/// Draws pictures of DICOM, the format of medicine, with DCMTK and OpenJPEG: one frame, in the shades that the file asks for.
///
/// Who the patient is stays in the file: no element that names or numbers anybody is read, and free text is not either. Letters
/// that are part of the picture are part of the preview.
public final class DICOMRenderer: Renderer {
    private let profiles = ColorProfileCache()
    private let maximumPixels: Int
    private let contentLimit: Int64

    /// Registers decoders, and reads DCMTK's dictionary of elements.
    /// - Throws: `pluginUnavailable` when the dictionary is not there.
    public init(_ environment: RendererEnvironment) throws(PluginError) {
        try DICOMFile.warmUp()
        maximumPixels = environment.maximumPixels
        contentLimit = environment.addressSpace / 4
    }

    /// Draws a frame; pages are frames.
    /// - Throws: `empty`, `corrupt`, `limitExceeded`, `unsupported` for what has no picture, `invalidArgument` for a frame that
    ///   is not there; and what reading throws.
    public func render(
        _ input: any RandomAccessInput, _ request: RenderRequest
    ) throws(PluginError) -> Rendering {
        try input.checkNotEmpty("the DICOM file")
        try request.refuseMoment(in: "a DICOM file")
        return try input.withContents(limit: contentLimit) { bytes throws(PluginError) in
            let file = try DICOMFile(bytes)
            let shape = try PictureShape(file, maximumPixels: maximumPixels)
            try request.checkPage(of: shape.frames, in: "the DICOM file", unit: "frame")
            try shape.checkPixels(of: request.page)
            let frame = try file.frame(request.page)
            let bitmap = try frame.draw(shape.size, maximumPixels: maximumPixels)
            if !frame.isGrey {
                file.withProfile { profiles.profile($0, for: .rgb)?.convert(bitmap) }
            }
            var facts = Facts(pages: shape.frames, size: shape.size)
            file.tell(&facts)
            return Rendering(bitmap, facts: facts)
        }
    }
}

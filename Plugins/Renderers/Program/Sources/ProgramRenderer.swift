internal import ArchiveReading
internal import PictureDecoding
public import VitrineKit

/// Shows programs by their icons, as the desktops do for which they were made: programs and libraries of Windows, packages of
/// Android, AppImages.
///
/// Nothing of a program is run. The icon may be smaller than what is asked for; it is never enlarged. Programs without an icon
/// are ordinary: libraries, and tools that people type the names of.
public final class ProgramRenderer: Renderer {
    private let decoder: PictureDecoder

    private static let formats: [any ProgramFormat.Type] = [
        WindowsProgram.self, AppImage.self, AndroidPackage.self,
    ]
    /// Bytes of a file by which its format is told.
    static let headLength = 64

    /// Loads what libarchive loads late.
    public init(_ environment: RendererEnvironment) throws(PluginError) {
        try ArchiveLibrary.warmUp()
        decoder = PictureDecoder(maximumPixels: environment.maximumPixels)
    }

    /// Shows the icon.
    /// - Throws: `empty` where there is none, `unsupported` where it is of a kind that is not decoded, `corrupt`,
    ///   `limitExceeded`, `invalidArgument` for a page or a moment, or what the input throws.
    public func render(_ input: any RandomAccessInput, _ request: RenderRequest) throws(PluginError) -> Rendering {
        try request.checkSinglePicture(in: "the program")
        try input.checkNotEmpty("the file")
        let head = try input.head(Self.headLength)
        guard let format = Self.formats.first(where: { $0.begins(head) }) else {
            throw PluginError(
                .corrupt,
                "the file is no program of a kind that is known, or its first bytes are damaged; fetch it again")
        }
        guard let icon = try format.icon(of: input, box: request.box, decoder) else {
            throw PluginError(.empty, "the program has no icon in it, and nothing else of it can be drawn")
        }
        return icon
    }
}

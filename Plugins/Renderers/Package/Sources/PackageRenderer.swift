internal import ArchiveReading
internal import PictureDecoding
public import VitrineKit

/// Draws files of programs that nothing here reads by the pictures that these programs leave in them: iWork, Krita,
/// OpenRaster, 3MF, FreeCAD. All are zip files.
///
/// What is no more than a preview may be smaller than what is asked for; it is never enlarged.
public final class PackageRenderer: Renderer {
    private let decoder: PictureDecoder

    /// Loads what libarchive loads late.
    public init(_ environment: RendererEnvironment) throws(PluginError) {
        try ArchiveLibrary.warmUp()
        decoder = PictureDecoder(maximumPixels: environment.maximumPixels)
    }

    /// Where programs put previews.
    private static let previews: Set<[UInt8]> = Set(
        [
            // iWork since 2013, and before.
            "preview.jpg", "QuickLook/Thumbnail.jpg",
            // Krita; OpenRaster (its specification, section File Layout).
            "preview.png", "Thumbnails/thumbnail.png",
            // 3MF (Core Specification, 6.1) as most programs name it; FreeCAD.
            "Metadata/thumbnail.png", "thumbnails/Thumbnail.png",
        ].map { Array($0.utf8) })
    /// What painting programs keep of a picture as a whole, beside its layers.
    private static let whole = Array("mergedimage.png".utf8)

    /// Draws the smallest picture that is large enough, else the largest.
    /// - Throws: `unsupported` where there is none, or none but previews when these are not wanted; `empty`, `encrypted`,
    ///   `corrupt`, `limitExceeded`, `invalidArgument` for a page that is not there, or what the input throws.
    public func render(_ input: any RandomAccessInput, _ request: RenderRequest) throws(PluginError) -> Rendering {
        try request.checkPage(of: 1, in: "the file")
        try request.refuseMoment(in: "a document")
        let archive = try Archive(input)
        let found = archive.members.filter { member in
            member.name == Self.whole || request.embedded != .never && Self.previews.contains(member.name)
        }.sorted { ($0.size ?? .max) < ($1.size ?? .max) }
        var best: (picture: DecodedPicture, isWhole: Bool)?
        var failure = PluginError(.unsupported, "the file has no preview in it, and nothing else of it can be drawn")
        // No more than there are names: one that is there several times is no file of these programs.
        for member in found.prefix(Self.previews.count + 1) {
            do throws(PluginError) {
                let picture = try decoder.picture(try archive.contents(of: member), box: request.box)
                if picture.side > best?.picture.side ?? 0 { best = (picture, member.name == Self.whole) }
                if picture.side >= request.box { break }
            } catch {
                guard error.isOfMember else { throw error }
                failure = error
            }
        }
        guard let best else { throw failure }
        var rendering = Rendering(best.picture.bitmap, facts: Facts(size: best.isWhole ? best.picture.size : nil))
        if !best.isWhole { rendering.embedded = "preview of its program" }
        return rendering
    }
}

extension DecodedPicture {
    /// The longer side of the whole picture.
    fileprivate var side: Int { max(size.width, size.height) }
}

extension PluginError {
    /// Whether another picture of the same file may do better.
    fileprivate var isOfMember: Bool { [.corrupt, .encrypted, .limitExceeded, .unsupported].contains(code) }
}

internal import EXIF
internal import PictureDecoding
public import VitrineKit

/// Draws cameras' raw files by the preview that they carry, turned upright; by what the sensor saw, developed by libraw
/// at half size, where there is none.
///
/// The preview is what the camera made of the same data, so that it is taken in place of developing unless the request says
/// ``EmbeddedUse/never``. Mostly it is found by the file's directories, in a few small reads.
public final class RAWRenderer: Renderer {
    private let decoder: PictureDecoder

    /// Previews with longer sides of less are looked for once more, by libraw.
    private static let smallest = 512

    /// There is nothing to warm up.
    public init(_ environment: RendererEnvironment) throws(PluginError) {
        decoder = PictureDecoder(maximumPixels: environment.maximumPixels)
    }

    /// Draws a photograph, which has one page and no moments.
    /// - Throws: `empty` for no bytes, `corrupt`, `unsupported`, `limitExceeded`, `invalidArgument` for another page or a moment,
    ///   or what the input throws.
    public func render(_ input: any RandomAccessInput, _ request: RenderRequest) throws(PluginError) -> Rendering {
        try input.checkNotEmpty("the photograph")
        try request.checkSinglePicture(in: "the photograph")
        let container = try RawContainer(input)
        var facts = Facts()
        if let block = container.exif { facts.add(block, wantsPlace: request.wantsPlace) }
        guard request.embedded != .never else {
            return Self.rendering(
                try RawLibrary.picture(input, box: request.box, decoder, takesPreview: false, develops: true), facts)
        }
        let found = try preview(input, container, request.box)
        if let found, max(found.bitmap.width, found.bitmap.height) >= min(request.box, Self.smallest) {
            return Self.rendering(found, facts)
        }
        do throws(PluginError) {
            let other = try RawLibrary.picture(input, box: request.box, decoder, develops: found == nil)
            if let found, other.bitmap.width <= found.bitmap.width { return Self.rendering(found, facts) }
            return Self.rendering(other, facts)
        } catch {
            guard let found, [.corrupt, .unsupported, .limitExceeded].contains(error.code) else { throw error }
            return Self.rendering(found, facts)
        }
    }

    private static func rendering(_ picture: RawPicture, _ facts: Facts) -> Rendering {
        var facts = facts
        facts.size = picture.size
        // Older formats than Exif keep it in ways of their own.
        if facts.text(.camera) == nil { facts.set(.camera, picture.camera) }
        var rendering = Rendering(picture.bitmap, facts: facts)
        if picture.isPreview { rendering.embedded = "camera's preview" }
        return rendering
    }

    /// The preview that the directories name; `nil` when there is none that can be decoded.
    private func preview(
        _ input: any RandomAccessInput, _ container: RawContainer, _ box: Int
    ) throws(PluginError) -> RawPicture? {
        guard let best = EmbeddedPreview.best(container.previews, box: box) else { return nil }
        let bytes = try input.bytes(at: best.offset, count: best.count)
        do throws(PluginError) {
            var picture = try decoder.picture(bytes, box: box)
            var turn = Orientation(jpeg: bytes)
            if turn == nil, let stored = container.orientation {
                turn = stored
                picture.bitmap = try stored.applied(to: picture.bitmap)
                picture.size = stored.applied(to: picture.size)
            }
            if let size = container.size {
                let whole = (turn ?? .upright).applied(to: size)
                if whole.width >= picture.size.width, whole.height >= picture.size.height { picture.size = whole }
            }
            return RawPicture(bitmap: picture.bitmap, size: picture.size, isPreview: true)
        } catch {
            guard error.code == .corrupt || error.code == .unsupported else { throw error }
            return nil
        }
    }
}

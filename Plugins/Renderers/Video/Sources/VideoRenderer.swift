internal import AVMedia
internal import CAV
public import VitrineKit

/// Draws a frame of a video: with libavformat and libavcodec, on one thread, reading nothing but the input.
///
/// The frame is the one that is seen at the moment that is asked for, or by default the key frame nearest to 15 % of the
/// duration; it comes upright, with square pixels, scaled to the size that is wanted in one step. Conforms as
/// `RendererConformance` of VitrineTesting says.
public final class VideoRenderer: Renderer {
    private let maximumPixels: Int

    /// Types of pictures that may be films instead (ISO/IEC 23008-12, 7): sequences, where there is no picture beside them.
    private static let sequences = ["image/avif", "image/heif"]
    /// What files are called that hold some, of AV1 and of HEVC among others (AV1 Image File Format 1.1, 6.3; ISO/IEC 23008-12,
    /// 10.3).
    private static let sequenceBrands: Set = ["avis", "msf1", "hevc", "hevx"]

    /// Fills the tables that libav makes at first use.
    /// - Parameter environment: its limit on pixels holds for decoded frames.
    public init(_ environment: RendererEnvironment) throws(PluginError) {
        maximumPixels = environment.maximumPixels
        MediaLibrary.warmUp([AV_CODEC_ID_H264, AV_CODEC_ID_HEVC, AV_CODEC_ID_VP9, AV_CODEC_ID_AV1])
    }

    /// Draws the frame of a moment.
    /// - Throws: `empty` for files without a picture, `corrupt`, `locked`, `unsupported`, `limitExceeded`, or
    ///   what the input throws.
    public func render(_ input: any RandomAccessInput, _ request: RenderRequest) throws(PluginError) -> Rendering {
        try input.checkNotEmpty("the file")
        try request.checkPage(of: 1, in: "the video")
        let isPicture = Self.sequences.contains(request.mimeType)
        // A picture is a film of one frame to libav, at any moment.
        if isPicture, !Self.isSequence(try input.head(64)) {
            throw PluginError(.unsupported, "the file is a picture, and no sequence of them")
        }
        do throws(PluginError) {
            return try frame(input, request)
        } catch {
            // What is wrong with a picture is told by who draws pictures.
            if isPicture, error.code == .corrupt || error.code == .empty {
                throw PluginError(
                    .unsupported, "the file is no sequence of pictures that can be drawn: \(error.message)")
            }
            // Of some files libav drops the video before it tells, as if there were none.
            guard error.code == .corrupt || error.code == .empty, MovieProtection.isSaid(in: input) else { throw error }
            throw FrameSearch.enciphered
        }
    }

    /// Whether a file says that it holds a sequence of pictures: in its first box, behind which it may be a picture as well.
    private static func isSequence(_ head: [UInt8]) -> Bool {
        guard head.count >= 8, head[4..<8].elementsEqual("ftyp".utf8) else { return false }
        let end = min(head.count, Int(head[2]) << 8 | Int(head[3]))
        return stride(from: 8, through: end - 4, by: 4).contains { at in
            sequenceBrands.contains(String(decoding: head[at..<at + 4], as: UTF8.self))
        }
    }

    private func frame(_ input: any RandomAccessInput, _ request: RenderRequest) throws(PluginError) -> Rendering {
        let container = try Container(video: input, probing: false)
        do throws(PluginError) {
            return try render(container, input, request)
        } catch {
            guard !container.isProbed, error.code == .corrupt else { throw error }
            // The header said less than it seemed; find out by decoding.
            return try render(Container(video: input, probing: true), input, request)
        }
    }

    private func render(
        _ container: Container, _ input: any RandomAccessInput, _ request: RenderRequest
    ) throws(PluginError) -> Rendering {
        let video = try container.pictureStream()
        if let cover = try cover(of: container, video, request) { return cover }
        if let cover = try coverOfSound(in: container, request) { return cover }
        var size: PixelSize?
        let search = try FrameSearch(container, video, maximumPixels: maximumPixels) {
            (frame) throws(PluginError) -> Bitmap in
            let geometry = try FrameGeometry(frame, of: video, box: request.box)
            size = geometry.size
            return try geometry.orientation.applied(to: FrameScaler.scale(frame, to: geometry.target))
        }
        let bitmap = try search.bitmap(at: request.time)
        // Without what libav tells ciphertext by, its packets are decoded all the same.
        if search.showsNothing, MovieProtection.isSaid(in: input) { throw FrameSearch.enciphered }
        return Rendering(bitmap, facts: facts(of: container, video, size, request))
    }

    private func facts(
        of container: Container, _ video: VideoStream, _ size: PixelSize?, _ request: RenderRequest
    ) -> Facts {
        var facts = container.facts(picture: video, duration: container.duration)
        facts.size = size
        if request.wantsPlace { facts.place = container.place }
        return facts
    }

    /// The cover that lies beside the film, if no moment was asked for and it is to be taken: by default only one that has
    /// the shape of the film, as a still of it has; posters have another.
    private func cover(
        of container: Container, _ video: VideoStream, _ request: RenderRequest
    ) throws(PluginError) -> Rendering? {
        guard request.embedded != .never, request.time == nil, !video.isCover, container.hasCover,
            let whole = video.shownSize
        else { return nil }
        let found = try container.cover(box: request.box, maximumPixels: maximumPixels) {
            request.embedded.takes($0, of: whole, box: request.box)
        }
        guard let found else { return nil }
        var rendering = Rendering(found, facts: facts(of: container, video, whole, request))
        rendering.embedded = "cover"
        return rendering
    }

    /// The cover of a file that has no film, but sound: the front before others.
    /// - Returns: `nil` where there is a film, or no sound.
    /// - Throws: `empty` where no cover shows anything. The sound is the picture then, which is drawn by another renderer.
    private func coverOfSound(
        in container: Container, _ request: RenderRequest
    ) throws(PluginError) -> Rendering? {
        guard request.time == nil, container.videoStreams.allSatisfy(\.isCover), container.hasCover, container.hasSound
        else { return nil }
        guard let cover = try container.cover(box: request.box, maximumPixels: maximumPixels) else {
            throw PluginError(.empty, "the file has no picture: it holds only sound, and no cover that shows anything")
        }
        return Rendering(cover, facts: container.facts(picture: nil, duration: container.duration))
    }
}

internal import AVMedia
internal import CAV
public import VitrineKit

/// Draws sound: the cover that a file brings, else its waveform, with libav and cairo, on one thread, reading nothing
/// but the input. Of a song in notes it draws these.
///
/// A cover is scaled down, never up. The waveform is drawn at any size: a dark tile with rounded bars, each as high as
/// the sound is loud there. A minute of sound is decoded at most, in short pieces from everywhere when there is more.
/// Notes are the bars of a piano roll on such a tile, the first ten seconds of them.
public final class AudioRenderer: Renderer {
    private let maximumPixels: Int

    /// Fills the tables that libav makes at first use, and loads those for the words of songs and of old tags.
    /// - Parameter environment: its limit on pixels holds for covers.
    public init(_ environment: RendererEnvironment) throws(PluginError) {
        maximumPixels = environment.maximumPixels
        MediaLibrary.warmUp([AV_CODEC_ID_MP3, AV_CODEC_ID_AAC, AV_CODEC_ID_OPUS, AV_CODEC_ID_VORBIS, AV_CODEC_ID_MJPEG])
    }

    /// Draws a file. It has one picture: other pages and moments are refused.
    /// - Throws: `empty` for files without sound, `corrupt`, `locked`, `unsupported`, `limitExceeded`, or what the
    ///   input throws.
    public func render(_ input: any RandomAccessInput, _ request: RenderRequest) throws(PluginError) -> Rendering {
        try input.checkNotEmpty("the file")
        try request.checkPage(of: 1, in: "the sound")
        try request.refuseMoment(in: "the picture of a sound")
        if MIDISong.begins(try input.head(12)) {
            let song = try MIDISong(try input.head(MIDISong.reach))
            return Rendering(
                try PianoRoll.draw(song.notes, box: request.box), facts: song.facts(wantsText: request.wantsText))
        }
        let container = try Container(input, .sound, orElse: MediaKind.demuxer(for: request.mimeType))
        let sound = container.prepareSound()
        let tellers = try container.withOverlookedTags()
        var facts = container.facts(picture: nil, duration: container.knownDuration, by: tellers)
        for teller in tellers {
            if let cover = try teller.cover(box: request.box, maximumPixels: maximumPixels) {
                return Rendering(cover, facts: facts)
            }
        }
        if let cover = try container.overlookedCover()?.cover(box: request.box, maximumPixels: maximumPixels) {
            return Rendering(cover, facts: facts)
        }
        guard let sound else {
            throw container.inputFailure ?? PluginError(.empty, "the file has neither sound nor a cover")
        }
        if container.isOne(of: "wv"), WavPackBlock.isCorrection(try input.head(WavPackBlock.reach)) {
            throw PluginError(
                .empty,
                "the file has no sound of its own: it holds what a WavPack file of the same name lacks to be without loss"
            )
        }
        let sampler = try SoundSampler(container, sound)
        let loudness = try sampler.loudness()
        facts.duration = sampler.measuredDuration ?? facts.duration
        return Rendering(try Waveform.draw(loudness, box: request.box), facts: facts)
    }
}

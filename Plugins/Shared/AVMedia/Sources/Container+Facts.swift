internal import CAV
package import VitrineKit

extension Container {
    /// What a film or a piece of music says of itself.
    /// - Parameters:
    ///   - picture: the stream that is shown, if there is one.
    ///   - duration: in seconds, for people.
    ///   - tellers: whose tags count, the first before the others. Default: those of the file, as libav reads them.
    /// - Returns: facts with a title, an author, an album, a date, codecs, and pictures a second.
    package func facts(picture: VideoStream?, duration: Double?, by tellers: [Container]? = nil) -> Facts {
        let tellers = tellers ?? [self]
        func tag(_ names: [String]) -> String? { tellers.lazy.compactMap { $0.tag(names) }.first }
        var facts = Facts(duration: duration, title: tag(Self.titles))
        facts.set(.author, tag(Self.authors))
        facts.set(.album, tag(["album"]))
        if picture != nil { facts.set(.camera, camera) }
        // That of a film is when it was taken. Of music it is when the file was written, which says less than the music's own.
        let (written, dates) = (["creation_time"], ["date", "year", "WM/Year"])
        let moments = tellers.lazy.compactMap {
            $0.tag(picture != nil ? written + dates : dates + written, alsoOfTracks: true)
        }
        facts.set(.created, moments.compactMap { FactDate($0)?.text }.first)
        let sound = streams.first { $0.pointee.codecpar?.pointee.codec_type == AVMEDIA_TYPE_AUDIO }
        let soundCodec = (sound?.pointee.codecpar?.pointee.codec_id).map { String(cString: avcodec_get_name($0)) }
        let codecs = [picture?.codecName, soundCodec].compactMap(\.self)
        facts.set(.codecs, codecs.filter { $0 != "none" && $0 != "unknown_codec" })
        if let rate = picture?.pointer.pointee.avg_frame_rate, rate.num > 0, rate.den > 0 {
            let number = av_q2d(rate)
            if 0.01...1000 ~= number { facts.set(.frameRate, (number * 1000).rounded() / 1000) }
        }
        return facts
    }

    private static let titles = ["title"]
    private static let authors = ["artist", "album_artist", "author", "composer"]

    /// Whether the file says what it is, by whom and from which album, and brings a cover.
    var saysAll: Bool { hasCover && [Self.titles, Self.authors, ["album"]].allSatisfy { tag($0) != nil } }

    /// Where the film was made, as telephones and cameras write it.
    package var place: Place? {
        tag(["com.apple.quicktime.location.ISO6709", "location"]).flatMap(Place.init(ofFilm:))
    }

    /// The camera's model, with its maker before it unless the model says that too.
    private var camera: String? {
        let maker = tag(["com.apple.quicktime.make", "com.android.manufacturer", "make"])
        let model = tag(["com.apple.quicktime.model", "com.android.model", "model"])
        guard let maker, let model else { return model ?? maker }
        return model.lowercased().hasPrefix(maker.lowercased()) ? model : "\(maker) \(model)"
    }

    /// The first of these tags that the file has.
    /// - Parameter alsoOfTracks: whether those of its tracks will do. Ogg keeps the tags of the whole there; elsewhere a title is
    ///   that of the track alone, as "Stereo" is. What covers and attachments say is about these.
    private func tag(_ names: [String], alsoOfTracks: Bool = false) -> String? {
        let tracks = alsoOfTracks || isOne(of: "ogg") ? streams.filter(Self.isTrack) : []
        for place in [format?.pointee.metadata] + tracks.map(\.pointee.metadata) {
            for name in names {
                if let entry = av_dict_get(place, name, nil, 0),
                    let line = TagText.line(entry.pointee.value)
                {
                    return line
                }
            }
        }
        return nil
    }

    private static func isTrack(_ stream: UnsafeMutablePointer<AVStream>) -> Bool {
        stream.pointee.codecpar?.pointee.codec_type != AVMEDIA_TYPE_ATTACHMENT && VideoStream(stream)?.isCover != true
    }
}

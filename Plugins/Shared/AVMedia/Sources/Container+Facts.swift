internal import CAV
package import VitrineKit

extension Container {
    /// What a film or a piece of music says of itself.
    /// - Parameters:
    ///   - picture: the stream that is shown, if there is one.
    ///   - duration: in seconds, for people.
    /// - Returns: facts with a title, an author, an album, a date, codecs, and pictures a second.
    package func facts(picture: VideoStream?, duration: Double?) -> Facts {
        var facts = Facts(duration: duration, title: tag(["title"]))
        facts.set(.author, tag(["artist", "album_artist", "author", "composer"]))
        facts.set(.album, tag(["album"]))
        facts.set(.created, tag(["creation_time", "date", "year"]).flatMap(FactDate.init)?.text)
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

    /// The first of these tags that the file has, or the stream where the format keeps its tags.
    private func tag(_ names: [String]) -> String? {
        let places = [format?.pointee.metadata] + streams.map(\.pointee.metadata)
        for place in places {
            for name in names {
                if let entry = av_dict_get(place, name, nil, 0),
                    let line = Facts.line(String(cString: entry.pointee.value))
                {
                    return line
                }
            }
        }
        return nil
    }
}

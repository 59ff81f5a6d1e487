internal import AVMedia
internal import CAV
internal import VitrineKit

extension MediaKind {
    /// Containers and elementary streams that hold sound in one file. Those of videos are among them, for videos that
    /// have sound only.
    static let sound = MediaKind(
        noun: "sound",
        formats: """
            mp3,mov,mp4,m4a,3gp,3g2,mj2,ogg,flac,wav,w64,aiff,caf,au,voc,asf,ape,wv,tta,mpc,mpc8,tak,shn,dsf,iff,aac,\
            loas,ac3,eac3,dts,dtshd,truehd,mlp,amr,amrnb,amrwb,matroska,webm,avi,mpegts,mpeg,flv,live_flv,mxf,rm,nut,\
            oma,aea,aptx,bit,g722,gsm,qcp,sbc,sln,sox,wtv,xwma,nistsphere,libopenmpt
            """)

    /// The demuxer to take for a type whose files may begin with anything.
    static func demuxer(for mimeType: String) -> String? { mimeType == "audio/mpeg" ? "mp3" : nil }
}

extension Container {
    /// Chooses the stream of sound and finds out what the header does not tell about it.
    /// - Returns: `nil` when there is none.
    func prepareSound() -> AudioStream? {
        // Jump by estimates where there is no index, rather than read a file from end to end to make one.
        format?.pointee.flags |= AVFMT_FLAG_FAST_SEEK
        if sound?.isDescribed != true || soundDuration == nil { probe(seconds: 1) }
        guard let sound else { return nil }
        choose(sound)
        return sound
    }

    /// The stream to draw: one that can be decoded, the one marked as default, the first.
    private var sound: AudioStream? { streams.compactMap(AudioStream.init).max { $0.rank < $1.rank } }

    /// Whether nothing in the file says how long it is, and libav worked it out from its size and its first frames.
    var isLengthGuessed: Bool {
        format?.pointee.duration_estimation_method == AVFMT_DURATION_FROM_BITRATE
    }

    /// Seconds, for people. A guess is good where most files keep to one rate, or all do, as samples and blocks of one size.
    var knownDuration: Double? { isLengthGuessed && !hasOneRate ? nil : soundDuration ?? duration }

    private var hasOneRate: Bool { sound?.hasUnmarkedBlocks == true || isOne(of: "mp3,ac3,eac3,dts,gsm") }

    /// Seconds, as the file says or the stream of sound does.
    var soundDuration: Double? {
        // A guess takes all bytes behind a tag in front for sound, those of a tag at the end too.
        if let saidDuration { return isLengthGuessed ? saidDuration * partBeforeLastTag : saidDuration }
        guard let sound, sound.pointer.pointee.duration != cav_no_time, sound.pointer.pointee.duration > 0 else {
            return nil
        }
        let seconds = Double(sound.pointer.pointee.duration) * av_q2d(sound.pointer.pointee.time_base)
        return seconds.isFinite && seconds > 0 ? seconds : nil
    }
}

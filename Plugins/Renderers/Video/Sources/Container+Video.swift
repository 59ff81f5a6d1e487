internal import AVMedia
internal import CAV
internal import VitrineKit

extension MediaKind {
    /// Containers and elementary streams that hold one video in one file.
    static let video = MediaKind(
        noun: "video",
        formats: """
            mov,mp4,m4a,3gp,3g2,mj2,matroska,webm,avi,mpegts,mpeg,mpegvideo,flv,live_flv,ogg,asf,mxf,dv,rm,m4v,h264,\
            hevc,ivf,nut,nsv,wtv,flic,smk,bink,yuv4mpegpipe,dirac,obu,iff,gxf,roq,smjpeg,film_cpk,dhav
            """)
}

extension Container {
    /// Opens a video.
    /// - Parameters:
    ///   - input: the file.
    ///   - probing: `true` to decode the first frames of each stream whatever the header says; else that is
    ///     done for formats whose header says too little.
    /// - Throws: `corrupt`, `unsupported`, `limitExceeded`, or what the input throws.
    convenience init(video input: any RandomAccessInput, probing: Bool) throws(PluginError) {
        try self.init(input, .video)
        if probing || !packetsSayEnough {
            probe(seconds: 5)
        } else if !headerSaysEnough {
            measure(seconds: 1)
        }
    }

    /// The stream to draw: not a cover while there is anything else, the one marked as default, the largest.
    /// - Throws: `empty` when there is no picture in the file.
    func pictureStream() throws(PluginError) -> VideoStream {
        guard let best = videoStreams.max(by: { $0.rank < $1.rank }) else {
            throw PluginError(.empty, "the file has no picture: \(contents)")
        }
        choose(best)
        return best
    }

    /// Whether there is a stream of sound.
    var hasSound: Bool { streams.contains { $0.pointee.codecpar.pointee.codec_type == AVMEDIA_TYPE_AUDIO } }

    /// What there is in a file without pictures, in words.
    private var contents: String {
        let kinds = streams.map { stream in
            let parameters = stream.pointee.codecpar.pointee
            let kind =
                switch parameters.codec_type {
                case AVMEDIA_TYPE_AUDIO: "sound"
                case AVMEDIA_TYPE_SUBTITLE: "subtitles"
                default: "data"
                }
            // Of sound without a sample rate libav guessed the codec, and found none of it.
            let isGuess = parameters.codec_type == AVMEDIA_TYPE_AUDIO && parameters.sample_rate == 0
            if parameters.codec_id == AV_CODEC_ID_NONE || isGuess { return "\(kind) of an unknown kind" }
            return "\(kind) ('\(String(cString: avcodec_get_name(parameters.codec_id)))')"
        }
        let different = kinds.enumerated().filter { !kinds[..<$0.offset].contains($0.element) }.map(\.element)
        return different.isEmpty
            ? "it holds nothing" : "it holds only " + different.prefix(4).joined(separator: " and ")
    }

    /// Whether the header alone tells what has to be known before a frame is decoded. MP4 and Matroska keep size, pixel
    /// shape, extradata and duration there.
    private var headerSaysEnough: Bool {
        isOne(of: "mov,matroska") && (videoStreams.isEmpty || saidDuration != nil)
    }

    /// Whether no frame need be decoded to find out what has to be known: the header says it of each stream, or there is
    /// one stream only, to be chosen however large it is, and its packets say the rest.
    private var packetsSayEnough: Bool {
        let pictures = videoStreams
        if isOne(of: "mov,matroska") { return pictures.allSatisfy(\.isDescribed) }
        return isOne(of: "mpegts") && pictures.count == 1 && pictures.allSatisfy(\.describesItself)
    }

    /// Refuses a moment that the video does not have. People read its length in whole seconds; one that the library
    /// guessed from the rate of bytes refuses nothing.
    /// - Throws: `invalidArgument`.
    func check(moment: Double) throws(PluginError) {
        let isGuessed = format?.pointee.duration_estimation_method == AVFMT_DURATION_FROM_BITRATE
        let duration = isGuessed ? nil : duration
        guard 0...(duration?.rounded(.up) ?? .greatestFiniteMagnitude) ~= moment else {
            let length = duration.map { ", which lasts \(($0 * 10).rounded() / 10) s" } ?? ""
            throw PluginError(.invalidArgument, "there is no second \(moment) in the video\(length)")
        }
    }
}

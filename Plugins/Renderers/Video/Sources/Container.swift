internal import CAV
internal import VitrineKit

/// An open video file: its demuxer, its streams and the packets that come out of it.
///
/// Reads the bytes of its input and nothing else. Playlists (HLS, DASH, concat) are not on the list of formats,
/// protocols are switched off, and a demuxer that wants to open another file is refused.
final class Container {
    private var format: UnsafeMutablePointer<AVFormatContext>?
    private let stream: InputStream

    /// Whether streams were probed by decoding, which knows more than the header and costs more.
    let isProbed: Bool

    /// Containers and elementary streams that hold one video in one file.
    static let formats = """
        mov,mp4,m4a,3gp,3g2,mj2,matroska,webm,avi,mpegts,mpeg,mpegvideo,flv,live_flv,ogg,asf,mxf,dv,rm,m4v,h264,hevc,\
        ivf,nut,nsv,wtv,flic,smk,bink
        """

    /// Bytes that opening may read: a `moov` of a film of many hours is some ten MiB.
    private static let openingAllowance: Int64 = 128 << 20

    /// Bytes that the search for a format and for the streams may read, unless a header has to be larger.
    private static let probeSize: Int64 = 5_000_000

    /// Opens a file.
    /// - Parameters:
    ///   - input: the file.
    ///   - probing: `true` to decode the first frames of each stream whatever the header says; else that is
    ///     done for formats whose header says too little.
    /// - Throws: `corrupt`, `unsupported`, `limitExceeded`, or what the input throws.
    init(_ input: any RandomAccessInput, probing: Bool) throws(PluginError) {
        let stream = try InputStream(input, allowance: Self.openingAllowance)
        var context = avformat_alloc_context()
        guard let made = context else { throw PluginError(.limitExceeded, "no memory to open the video") }
        made.pointee.pb = stream.context
        made.pointee.flags |= AVFMT_FLAG_CUSTOM_IO
        made.pointee.io_open = { _, _, _, _, _ in cav_error_not_permitted }
        made.pointee.probesize = Self.probeSize
        made.pointee.max_analyze_duration = 5 * Int64(AV_TIME_BASE)
        made.pointee.max_streams = 64
        made.pointee.format_whitelist = av_strdup(Self.formats)
        made.pointee.protocol_whitelist = av_strdup("none")

        var status: CInt = 0
        var demuxer: UnsafePointer<AVInputFormat>?
        if let io = stream.context {
            status = av_probe_input_buffer2(io, &demuxer, nil, nil, 0, 0) < 0 ? cav_error_no_demuxer : 0
        }
        if status >= 0, let demuxer, !Self.isServed(demuxer) {
            avformat_free_context(context)
            throw PluginError(
                .unsupported,
                "the file is '\(String(cString: demuxer.pointee.name))' to libav, which is no video in one file")
        }
        if status < 0 {
            avformat_free_context(context)
            throw stream.failure ?? PluginError(.corrupt, "the file's bytes are no video that libav knows")
        }
        // Frees the context when it fails.
        status = avformat_open_input(&context, nil, demuxer, nil)
        guard status >= 0, let opened = context else {
            throw stream.failure ?? PluginError(libav: status, "the video cannot be opened")
        }
        let needsProbe = probing || !Self.headerSaysEnough(opened)
        if needsProbe {
            // What it fails on shows again when the chosen stream is decoded.
            _ = avformat_find_stream_info(opened, nil)
        }
        format = context
        self.stream = stream
        isProbed = needsProbe
    }

    deinit { avformat_close_input(&format) }

    /// Seconds, where the file says so.
    var duration: Double? {
        guard let format, format.pointee.duration != cav_no_time, format.pointee.duration > 0 else { return nil }
        return Double(format.pointee.duration) / Double(AV_TIME_BASE)
    }

    /// What the file calls itself.
    var title: String? {
        guard let format, let entry = av_dict_get(format.pointee.metadata, "title", nil, 0) else { return nil }
        let title = String(cString: entry.pointee.value)
        return title.isEmpty ? nil : title
    }

    /// The input's own failure, if it had one.
    var inputFailure: PluginError? { stream.failure }

    /// Sets how many bytes may be read from now on.
    func allow(_ bytes: Int64) { stream.allowance = bytes }

    /// The stream to draw: not a cover while there is anything else, the one marked as default, the largest.
    /// - Throws: `empty` when there is no picture in the file, `unsupported` when there is no decoder.
    func pictureStream() throws(PluginError) -> VideoStream {
        guard let format else { throw PluginError(.empty, "the file has no picture") }
        let streams = UnsafeBufferPointer(start: format.pointee.streams, count: Int(format.pointee.nb_streams))
        let pictures = streams.compactMap { $0.flatMap(VideoStream.init) }
        guard let best = pictures.max(by: { $0.rank < $1.rank }) else {
            throw PluginError(.empty, "the file has no picture: none of its \(streams.count) streams is video")
        }
        for case let other? in streams where other != best.pointer { other.pointee.discard = AVDISCARD_ALL }
        return best
    }

    /// Goes to the last key frame at or before a moment, as far as the format can tell.
    /// - Parameter seconds: counted from the start of the video.
    /// - Returns: whether it went there; else the position is undefined.
    func seek(_ video: VideoStream, to seconds: Double) -> Bool {
        av_seek_frame(format, video.index, video.timeStamp(at: seconds), AVSEEK_FLAG_BACKWARD) >= 0
    }

    /// Goes to the first packet, also where a key frame is so early that its own time stamp leads past it.
    /// - Returns: whether it went there.
    func rewind(_ video: VideoStream) -> Bool {
        let early = video.timeStamp(at: -Self.leadIn)
        return av_seek_frame(format, video.index, early, AVSEEK_FLAG_BACKWARD) >= 0
            || av_seek_frame(format, -1, 0, AVSEEK_FLAG_BYTE) >= 0
    }

    /// Seconds before the first frame that no stream begins earlier than.
    private static let leadIn = 10.0

    /// The time stamp of the last key frame at or before a moment that the index knows of; `nil` when it knows none.
    /// Where a file brings no index, later key frames may not be in it yet.
    func indexedKeyFrame(_ video: VideoStream, before seconds: Double) -> Int64? {
        avformat_index_get_entry_from_timestamp(
            video.pointer, video.timeStamp(at: seconds), AVSEEK_FLAG_BACKWARD)?.pointee.timestamp
    }

    /// Reads the next packet of a stream into `packet`.
    /// - Returns: `false` at the end, at an error, or when the allowance is used up.
    func read(_ video: VideoStream, into packet: UnsafeMutablePointer<AVPacket>) -> Bool {
        for _ in 0..<Self.foreignPackets {
            guard av_read_frame(format, packet) >= 0 else { return false }
            if packet.pointee.stream_index == video.index { return true }
            av_packet_unref(packet)
        }
        return false
    }

    /// Packets of other streams that may lie between two of the chosen one.
    private static let foreignPackets = 4096

    private static func isServed(_ demuxer: UnsafePointer<AVInputFormat>) -> Bool {
        av_match_list(demuxer.pointee.name, formats, CChar(UInt8(ascii: ","))) > 0
    }

    /// Whether the header alone tells what a decoder has to know, so that nothing need be decoded to find out.
    /// MP4 and Matroska keep size, pixel shape, extradata and duration there.
    private static func headerSaysEnough(_ format: UnsafeMutablePointer<AVFormatContext>) -> Bool {
        guard let demuxer = format.pointee.iformat,
            av_match_list(demuxer.pointee.name, "mov,matroska", CChar(UInt8(ascii: ","))) > 0
        else { return false }
        let streams = UnsafeBufferPointer(start: format.pointee.streams, count: Int(format.pointee.nb_streams))
        let pictures = streams.compactMap { $0.flatMap(VideoStream.init) }
        if pictures.isEmpty { return true }
        return format.pointee.duration > 0 && pictures.allSatisfy(\.isDescribed)
    }
}

package import CAV
package import VitrineKit

/// An open media file: its demuxer, its streams and the packets that come out of it.
///
/// Reads the bytes of its input and nothing else. Playlists (HLS, DASH, concat) are not on the list of formats,
/// protocols are switched off, and a demuxer that wants to open another file is refused.
package final class Container {
    /// libav's own description of the file.
    package private(set) var format: UnsafeMutablePointer<AVFormatContext>?
    let stream: InputStream

    /// Whether streams were probed by decoding, which knows more than the header and costs more.
    package private(set) var isProbed = false

    /// Where tags lie that libav may pass over; looked for when they are asked for first.
    private(set) lazy var tagPlaces = TagPlaces.all(size: stream.input.size, stream.peek)

    /// When a Matroska file begins, in its own units; `nil` where nothing says so.
    private var firstMoment: Int64?

    /// Bytes that opening may read: a `moov` of a film of many hours is some ten MiB.
    private static let openingAllowance: Int64 = 128 << 20

    /// Bytes that the search for a format and for the streams may read, unless a header has to be larger.
    private static let probeSize: Int64 = 5_000_000

    /// Opens a file. Its streams are what the header says; see ``probe(seconds:)``.
    /// - Parameters:
    ///   - input: the file.
    ///   - kind: what it may be.
    ///   - demuxer: name of the demuxer to take when libav cannot tell, or `nil`.
    ///   - certain: name of the demuxer to take without asking libav, or `nil`.
    /// - Throws: `corrupt`, `unsupported`, `limitExceeded`, or what the input throws.
    package init(
        _ input: any RandomAccessInput, _ kind: MediaKind, orElse demuxer: String? = nil, as certain: String? = nil
    ) throws(PluginError) {
        (format, stream) = try Self.open(input, upTo: input.size, kind, orElse: demuxer, as: certain)
        guard isOne(of: "matroska") else { return }
        // libav stands behind the beginning of the first cluster.
        firstMoment = MatroskaTimes.first(near: avio_seek(format?.pointee.pb, 0, SEEK_CUR), stream.peek)
        guard let firstMoment, startsLate else { return }
        for stream in streams where stream.pointee.start_time == cav_no_time { stream.pointee.start_time = firstMoment }
    }

    /// Opens the beginning of a file. Of an MP4 file whose last fragment is cut off what comes before that is taken, where libav
    /// reads none for it.
    /// - Parameter end: how much of the file there is to libav, in bytes.
    private static func open(
        _ input: any RandomAccessInput, upTo end: Int64, _ kind: MediaKind, orElse demuxer: String?, as certain: String?
    ) throws(PluginError) -> (format: UnsafeMutablePointer<AVFormatContext>?, stream: InputStream) {
        let stream = try InputStream(input, upTo: end, allowance: openingAllowance)
        var context = avformat_alloc_context()
        guard let made = context else { throw PluginError(.limitExceeded, "no memory to open the \(kind.noun)") }
        made.pointee.pb = stream.context
        made.pointee.flags |= AVFMT_FLAG_CUSTOM_IO
        made.pointee.io_open = { _, _, _, _, _ in cav_error_not_permitted }
        made.pointee.probesize = probeSize
        made.pointee.max_streams = 64
        made.pointee.format_whitelist = av_strdup(kind.formats)
        made.pointee.protocol_whitelist = av_strdup("none")

        let found: UnsafePointer<AVInputFormat>
        do throws(PluginError) {
            found = try Self.demuxer(of: stream, kind, orElse: demuxer, as: certain)
        } catch {
            avformat_free_context(context)
            throw error
        }
        // Frees the context when it fails.
        let status = avformat_open_input(&context, nil, found, nil)
        guard status >= 0, context != nil else {
            if let failure = stream.failure { throw failure }
            let isMovie = String(cString: found.pointee.name).hasPrefix("mov")
            let isUnfinished = isMovie && MovieHeader.isMissing(input.size, stream.peek)
            let cut = isMovie && !isUnfinished ? MovieHeader.cutBox(end, stream.peek) : nil
            // What could not be read is not missing.
            if let failure = stream.failure { throw failure }
            if let cut, cut.isFragment {
                return try open(input, upTo: cut.offset, kind, orElse: demuxer, as: certain)
            }
            throw isUnfinished
                ? MovieHeader.missing(in: kind)
                : PluginError(libav: status, "the \(kind.noun) cannot be opened", isOpening: true)
        }
        return (context, stream)
    }

    deinit { avformat_close_input(&format) }

    /// What libav takes the file for.
    private static func demuxer(
        of stream: InputStream, _ kind: MediaKind, orElse name: String?, as certain: String?
    ) throws(PluginError) -> UnsafePointer<AVInputFormat> {
        if let certain = (certain ?? stream.signature?.demuxer).flatMap({ av_find_input_format($0) }) {
            return try admitted(certain, kind)
        }
        if let failure = stream.failure { throw failure }
        var demuxer: UnsafePointer<AVInputFormat>?
        let score = stream.context.map { av_probe_input_buffer2($0, &demuxer, nil, nil, 0, 0) } ?? -1
        if let failure = stream.failure { throw failure }
        // A name's ending counts half of the whole to libav. What the bytes say with less than that is a guess.
        if score < AVPROBE_SCORE_EXTENSION, let name { demuxer = av_find_input_format(name) }
        guard let demuxer, score >= 0 || name != nil else {
            throw PluginError(.corrupt, "the file's bytes are no \(kind.noun) that libav knows")
        }
        return try admitted(demuxer, kind)
    }

    /// A demuxer that may read a file of a kind.
    /// - Throws: `unsupported` for any other.
    private static func admitted(
        _ demuxer: UnsafePointer<AVInputFormat>, _ kind: MediaKind
    ) throws(PluginError) -> UnsafePointer<AVInputFormat> {
        guard av_match_list(demuxer.pointee.name, kind.formats, CChar(UInt8(ascii: ","))) > 0 else {
            let name = String(cString: demuxer.pointee.name)
            throw PluginError(.unsupported, "the file is '\(name)' to libav, which is no \(kind.noun) in one file")
        }
        return demuxer
    }

    /// Finds out about the streams by decoding their first frames. What fails shows again when a stream is decoded.
    /// - Parameter seconds: of the streams that may be read.
    package func probe(seconds: Double) {
        guard let format else { return }
        format.pointee.max_analyze_duration = Int64(seconds * Double(AV_TIME_BASE))
        _ = avformat_find_stream_info(format, nil)
        isProbed = true
    }

    /// Finds out how long the streams last, by the times of their packets, and decodes no picture for it. What a picture
    /// has to be decoded for stays unknown: ``isProbed`` does not become true.
    /// - Parameter seconds: of the streams that may be read.
    package func measure(seconds: Double) {
        guard let format else { return }
        format.pointee.max_analyze_duration = Int64(seconds * Double(AV_TIME_BASE))
        var options: [OpaquePointer?] = streams.map { stream in
            var skipping: OpaquePointer?
            if VideoStream(stream) != nil { av_dict_set(&skipping, "skip_frame", "all", 0) }
            return skipping
        }
        // Streams that turn up meanwhile have none.
        _ = avformat_find_stream_info(format, &options)
        for index in options.indices { av_dict_free(&options[index]) }
    }

    /// Whether the file's demuxer is one of these.
    /// - Parameter names: separated by commas.
    package func isOne(of names: String) -> Bool {
        guard let demuxer = format?.pointee.iformat else { return false }
        return av_match_list(demuxer.pointee.name, names, CChar(UInt8(ascii: ","))) > 0
    }

    /// All streams.
    package var streams: [UnsafeMutablePointer<AVStream>] {
        guard let format else { return [] }
        return UnsafeBufferPointer(start: format.pointee.streams, count: Int(format.pointee.nb_streams))
            .compactMap(\.self)
    }

    /// The streams with pictures.
    package var videoStreams: [VideoStream] { streams.compactMap(VideoStream.init) }

    /// Lets the packets of all other streams be passed over.
    package func choose(_ stream: some MediaStream) {
        for other in streams where other != stream.pointer { other.pointee.discard = AVDISCARD_ALL }
    }

    /// Seconds, where the file says so, or its last moments do.
    package var duration: Double? { timesOfClusters ?? headerDuration }

    /// Seconds, where the header says so, or libav found out. Other Matroska files have no index either: what lies far behind their
    /// beginning is only found packet by packet.
    package var saidDuration: Double? { headerDuration == nil ? nil : duration }

    private var headerDuration: Double? {
        guard let format, format.pointee.duration != cav_no_time, format.pointee.duration > 0 else { return nil }
        return Double(format.pointee.duration) / Double(AV_TIME_BASE)
    }

    /// Seconds from the first to the last moment of a Matroska file; `nil` where the header says it. What it says of those that do
    /// not begin at once is, with some writers, the last moment.
    private lazy var timesOfClusters: Double? = {
        guard let firstMoment, let matroskaUnit, headerDuration == nil || startsLate,
            let last = MatroskaTimes.last(stream.input.size, stream.peek), last > firstMoment
        else { return nil }
        return Double(last - firstMoment) * matroskaUnit
    }()

    /// Whether a Matroska file begins a second after its first moment, or later.
    private var startsLate: Bool {
        guard let firstMoment, let matroskaUnit else { return false }
        return Double(firstMoment) * matroskaUnit >= 1
    }

    /// Seconds in a unit of time of a Matroska file, of which all its streams have the same.
    private var matroskaUnit: Double? {
        guard let base = streams.first?.pointee.time_base, base.num > 0, base.den > 0 else { return nil }
        return av_q2d(base)
    }

    /// Bytes of the index of a Matroska file; `nil` when there is none.
    var cuesLength: Int64? { stream.cuesLength }

    /// The input's own failure, if it had one.
    package var inputFailure: PluginError? { stream.failure }

    /// Whether the file ends before it should, as far as MP4 and Matroska say how long they are.
    package var isCutOff: Bool {
        let size = stream.input.size
        if isOne(of: "mov") { return MovieHeader.cutBox(size, stream.peek) != nil }
        return isOne(of: "matroska") && MatroskaCues.isCutOff(size, stream.peek)
    }

    /// Sets how many bytes may be read from now on.
    package func allow(_ bytes: Int64) { stream.allowance = bytes }
}

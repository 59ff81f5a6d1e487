internal import AVMedia
internal import CAV
internal import VitrineKit

/// Looks for a frame that is worth showing, or for that of a moment, with bounded work.
///
/// Where no moment is named, the key frame nearest to 15 % of the duration is taken, unless it is nearly one colour (a title, a
/// black lead-in) or all of it is dark (a fade): then up to three other moments are tried, and the frame with the most to see wins. A
/// moment that leads to a key frame already seen is reached by decoding on from there.
final class FrameSearch {
    let container: Container
    let video: VideoStream
    let decoder: FrameDecoder
    private let pick: (UnsafeMutablePointer<AVFrame>) throws(PluginError) -> Bitmap

    var packet: UnsafeMutablePointer<AVPacket>?
    /// Time stamps of the key frames that were decoded.
    private var seenKeyFrames: Set<Int64> = []
    /// Pixels of the frame that was decoded last.
    private var pixels = 0
    /// The key frame from which frame after frame was decoded up to where the container stands now.
    private var decodedFrom: Int64?
    private var framesLeft = FrameSearch.decodedFrames
    private var sawPackets = false
    private var sawCiphertext = false
    /// Seconds of the processor that looking for the frame of a moment takes at most; then it is the last one before that
    /// was decoded by then. Default: 4.
    var momentSeconds = 4.0
    /// Whether the frame that was found shows nothing, as one that is made of ciphertext does.
    private(set) var showsNothing = false

    /// A bitmap and how good it is.
    struct Candidate {
        var bitmap: Bitmap
        var variety: Double
        var isDamaged: Bool
        var isDim: Bool

        var isGood: Bool { !isDamaged && variety >= FrameSearch.enoughVariety }

        func isBetter(than other: Candidate?) -> Bool {
            guard let other else { return true }
            guard isDamaged == other.isDamaged else { return !isDamaged }
            if isGood, other.isGood, isDim != other.isDim { return other.isDim }
            return variety > other.variety
        }
    }

    /// Where to look, as parts of the duration.
    private static let moments = [0.15, 0.35, 0.6, 0.85]
    /// Variance of a channel below which a frame is nearly one colour: a standard deviation of 12 of 255.
    private static let enoughVariety = 144.0
    /// Variance below which a damaged frame is of one colour, and shows nothing of the film.
    private static let leastVariety = 1.0
    /// Bytes that one try may read.
    static let allowance: Int64 = 64 << 20
    /// Packets of the video that one try may read.
    private static let packets = 4096
    /// Packets that are given to a decoder after a key frame before it is made to give that out: the second
    /// field of an interlaced frame may be one of them.
    private static let packetsAfterKeyFrame = 2
    /// Frames other than key frames that are decoded in all.
    private static let decodedFrames = 250

    /// Bytes of a packet up to which its frame shows nothing new.
    private var stillPacket: Int { 16 + min(240, pixels / 4096) }

    /// What came of a search for a key frame.
    private enum KeyFrame {
        case none, decoded
        /// It was decoded for an earlier moment.
        case seen
    }

    /// - Parameters:
    ///   - container: open, and used by nothing else.
    ///   - video: a stream of it.
    ///   - maximumPixels: the most pixels that a frame may have.
    ///   - pick: turns a decoded frame into a bitmap.
    init(
        _ container: Container, _ video: VideoStream, maximumPixels: Int,
        pick: @escaping (UnsafeMutablePointer<AVFrame>) throws(PluginError) -> Bitmap
    ) throws(PluginError) {
        self.container = container
        self.video = video
        self.pick = pick
        decoder = try FrameDecoder(video, maximumPixels: maximumPixels)
        packet = av_packet_alloc()
        if packet == nil { throw PluginError(.limitExceeded, "no memory to read the video") }
    }

    deinit { av_packet_free(&packet) }

    /// Finds a frame.
    /// - Parameter time: the moment wanted, in seconds; `nil` for the search's own choice.
    /// - Throws: `empty`, `locked` or `corrupt` when there is no frame, `invalidArgument` when the video ends before the
    ///   moment, and what `pick` throws.
    func bitmap(at time: Double?) throws(PluginError) -> Bitmap {
        if let cover = video.coverPacket {
            _ = decoder.decode(cover)
            if !decoder.hasFrame { _ = decoder.decode(nil) }
            guard let frame = decoder.frame else { throw noFrame() }
            return try pick(frame)
        }
        if let time { try container.check(moment: time) }
        if let packet { container.trustIndex(video, packet) }
        var best: Candidate?
        if let time { _ = try find(max(0, min(time, container.duration ?? time)), &best) }
        if best == nil, time == nil { try chooseMoment(&best) }
        if best == nil {
            // Nothing at those moments: the file may be cut off, or have no key frames at all.
            try considerStart(keyFramesOnly: true, &best)
            if best == nil { try considerStart(keyFramesOnly: false, &best) }
        }
        guard let best else { throw noFrame() }
        // Of ciphertext decoders make frames of one colour, or damaged ones. A film that names keys may be plain all the same.
        if !best.isGood, sawCiphertext || video.isEnciphered || best.isDamaged && video.isEncrypted {
            throw Self.enciphered
        }
        // What decoders put in the place of what is missing or damaged.
        if best.isDamaged, best.variety < Self.leastVariety { throw noFrame() }
        showsNothing = !best.isGood
        return best.bitmap
    }

    /// Tries moments until there is enough to see.
    private func chooseMoment(_ best: inout Candidate?) throws(PluginError) {
        let duration = container.saidDuration ?? 10
        for part in Self.moments where try consider(part * duration, &best) {
            if let best, best.isGood, !best.isDim { break }
        }
    }

    /// Decodes the frame of a moment and keeps it if it beats the best one.
    /// - Returns: whether there was a frame.
    private func consider(_ moment: Double, _ best: inout Candidate?) throws(PluginError) -> Bool {
        container.allow(Self.allowance)
        let keyFrame = container.indexedKeyFrame(video, before: moment)
        if let keyFrame, keyFrame == decodedFrom {
            // Going back to the key frame would decode everything up to here once more.
            guard framesLeft > 0 else { return false }
            decodeOn(to: video.timeStamp(at: moment))
            return try keep(&best)
        }
        decodedFrom = nil
        guard container.seek(video, to: moment) || startAgain() else { return false }
        switch decodeKeyFrame() {
        case .none: return false
        case .decoded: break
        case .seen:
            guard framesLeft > 0, changes(until: moment), container.seek(video, to: moment) else { return false }
            decoder.restart(keyFramesOnly: false)
            decodeOn(to: video.timeStamp(at: moment))
            decodedFrom = keyFrame
        }
        return try keep(&best)
    }

    /// Goes to the first frame, also when a search used up what may be read: it is not to be repeated.
    /// - Parameter bytes: that may be read from there.
    func startAgain(allowing bytes: Int64 = FrameSearch.allowance) -> Bool {
        container.allow(bytes)
        container.closeIndex(video)
        return container.rewind(video)
    }

    private func considerStart(keyFramesOnly: Bool, _ best: inout Candidate?) throws(PluginError) {
        guard startAgain() else { return }
        if keyFramesOnly {
            guard decodeKeyFrame() == .decoded else { return }
        } else {
            decoder.restart(keyFramesOnly: false)
            decodeOn(to: video.timeStamp(at: 1))
        }
        _ = try keep(&best)
    }

    func keep(_ best: inout Candidate?) throws(PluginError) -> Bool {
        guard let frame = decoder.frame else { return false }
        pixels = Int(frame.pointee.width) * Int(frame.pointee.height)
        let bitmap = try pick(frame)
        let isDamaged = frame.pointee.flags & AV_FRAME_FLAG_CORRUPT != 0 || frame.pointee.decode_error_flags != 0
        let candidate = Candidate(
            bitmap: bitmap, variety: bitmap.variety, isDamaged: isDamaged, isDim: bitmap.isDim)
        if candidate.isBetter(than: best) { best = candidate }
        return true
    }

    /// Decodes the next key frame, and no other; one that was decoded before is left alone, as far as its packet tells.
    private func decodeKeyFrame() -> KeyFrame {
        decoder.restart(keyFramesOnly: true)
        var sinceKeyFrame: Int?
        for _ in 0..<Self.packets {
            guard let isKeyFrame = next(), let packet else { break }
            defer { av_packet_unref(packet) }
            let stamp = packet.pointee.pts == cav_no_time ? packet.pointee.dts : packet.pointee.pts
            if isKeyFrame, sinceKeyFrame == nil, seenKeyFrames.contains(stamp) { return .seen }
            if decoder.decode(packet) { return decodedKeyFrame() }
            if isKeyFrame {
                sinceKeyFrame = 0
            } else if let since = sinceKeyFrame {
                if since + 1 < Self.packetsAfterKeyFrame {
                    sinceKeyFrame = since + 1
                } else {
                    if decoder.decode(nil) { return decodedKeyFrame() }
                    decoder.restart(keyFramesOnly: true)
                    sinceKeyFrame = nil
                }
            }
        }
        decoder.decode(nil)
        return decodedKeyFrame()
    }

    /// Remembers the frame that the decoder holds.
    private func decodedKeyFrame() -> KeyFrame {
        guard let frame = decoder.frame else { return .none }
        return seenKeyFrames.insert(frame.pointee.best_effort_timestamp).inserted ? .decoded : .seen
    }

    /// Whether anything new can be seen between the last key frame before a moment and that moment, as far as the packets'
    /// sizes tell: those of a picture that stands still say little more than that.
    private func changes(until moment: Double) -> Bool {
        let timeStamp = video.timeStamp(at: moment)
        if let size = container.largestIndexedPacket(video, until: moment) { return size > stillPacket }
        guard container.seek(video, to: moment), next() != nil else { return true }
        av_packet_unref(packet)
        for _ in 0..<Self.packets {
            guard next() != nil, let packet else { return false }
            defer { av_packet_unref(packet) }
            if Int(packet.pointee.size) > stillPacket { return true }
            if packet.pointee.pts != cav_no_time, packet.pointee.pts >= timeStamp { return false }
        }
        return true
    }

    /// Decodes every frame from where the container stands to a time stamp; the last one stays in the decoder.
    private func decodeOn(to timeStamp: Int64) {
        while framesLeft > 0, next() != nil {
            defer { av_packet_unref(packet) }
            framesLeft -= 1
            guard decoder.decode(packet), let frame = decoder.frame else { continue }
            if frame.pointee.best_effort_timestamp >= timeStamp { return }
        }
        _ = decoder.decode(nil)
    }

    /// Reads the next packet of the video that is not enciphered: decoders make noise of those that are, where headers of
    /// frames are in clear.
    /// - Returns: whether it is a key frame; `nil` when there is none.
    func next() -> Bool? {
        for _ in 0..<Self.packets {
            guard let packet, container.read(video, into: packet) else { return nil }
            sawPackets = true
            guard av_packet_get_side_data(packet, AV_PKT_DATA_ENCRYPTION_INFO, nil) != nil else {
                return packet.pointee.flags & AV_PKT_FLAG_KEY != 0
            }
            sawCiphertext = true
            av_packet_unref(packet)
        }
        return nil
    }

    /// What is said of videos whose key is not known.
    static let enciphered = PluginError(
        .locked, "the video is enciphered; without its key no frame can be shown")

    /// Why there is no frame.
    private func noFrame() -> PluginError {
        if let failure = container.inputFailure { return failure }
        if sawCiphertext || video.isEncrypted { return Self.enciphered }
        let isCutOff = container.isCutOff
        if let failure = container.inputFailure { return failure }
        guard sawPackets || video.isCover || isCutOff else {
            return PluginError(.empty, "the file has no picture: its '\(video.codecName)' stream holds no frame")
        }
        return PluginError(
            .corrupt,
            "no frame of the '\(video.codecName)' video could be decoded" + (isCutOff ? ": the file is cut off" : ""))
    }
}

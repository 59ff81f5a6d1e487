internal import AVMedia
internal import CAV
internal import VitrineKit

/// Listens to a file here and there, with bounded work.
///
/// Sound that is short, or of which nobody knows how long it is, is decoded from its start. Of longer sound, a piece in
/// the middle of each bar is.
final class SoundSampler {
    private let container: Container
    private let sound: AudioStream
    private let decoder: FrameDecoder
    private var packet: UnsafeMutablePointer<AVPacket>?
    private var hasMoved = false
    private var sawPackets = false
    private var sawCiphertext = false
    /// Whether there is no further packet.
    private var hasEnded = false
    /// What was read since a jump: seconds, as its packets say, and bytes.
    private var passed = (seconds: 0.0, bytes: 0.0)
    /// Seconds of packets that still do not count, behind a jump by bytes. The first of them is no whole one, or has more in it.
    /// In MP3, bytes that look like the beginning of a frame mislead about the next ones, too.
    private var unsettled = 0.0
    /// Seconds that the sound lasts, where libav can only guess that by its first frames: as many as were heard where all of it was,
    /// else as long as all bytes take at the mean pace of those that were read.
    private(set) var measuredDuration: Double?

    /// Bars of a waveform. More could not be told from each other at 128 pixels.
    static let bars = 28
    /// Seconds that are decoded from the start, at most.
    private static let seconds = 24.0
    /// Seconds that are decoded for a bar of longer sound.
    private static let piece = 0.4
    /// Decoders need some frames after a jump before what they give out is right.
    private static let leadIn = 0.08
    /// Bytes that may be read for all of it. A minute of uncompressed sound in eight channels is 20 MB.
    private static let allowance: Int64 = 64 << 20
    /// Packets that may be read for it.
    private static let packets = 65_536

    /// - Parameters:
    ///   - container: open, and used by nothing else.
    ///   - sound: a stream of it.
    /// - Throws: `unsupported` when there is no decoder.
    init(_ container: Container, _ sound: AudioStream) throws(PluginError) {
        self.container = container
        self.sound = sound
        guard !sound.isEncrypted else { throw Self.enciphered }
        decoder = try FrameDecoder(sound, maximumPixels: 0)
        packet = av_packet_alloc()
        if packet == nil { throw PluginError(.limitExceeded, "no memory to read the sound") }
    }

    deinit { av_packet_free(&packet) }

    /// How loud the sound is, from its start to its end.
    /// - Returns: ``bars`` levels.
    /// - Throws: `empty`, `locked` or `corrupt` when nothing can be heard, or what the input throws.
    func loudness() throws(PluginError) -> [Double] {
        container.allow(Self.allowance)
        var levels: [Double]?
        if let duration = container.soundDuration, duration > Self.seconds { levels = pieces(of: duration) }
        if let failure = container.inputFailure { throw failure }
        levels = levels ?? beginning()
        if let failure = container.inputFailure { throw failure }
        if sawCiphertext { throw Self.enciphered }
        guard let levels else {
            let isCutOff = container.isCutOff
            if let failure = container.inputFailure { throw failure }
            guard sawPackets || isCutOff else {
                throw PluginError(.empty, "the file has no sound: its '\(sound.codecName)' stream holds no packet")
            }
            throw PluginError(
                .corrupt,
                "none of the '\(sound.codecName)' sound could be decoded" + (isCutOff ? ": the file is cut off" : ""))
        }
        return levels
    }

    /// Decodes a piece for each bar.
    /// - Returns: `nil` when that does not work for most of them, as in a file that is shorter than it says.
    private func pieces(of duration: Double) -> [Double]? {
        var levels: [Double] = []
        var found = 0
        hasMoved = true
        // Without an index, times lead to places that were guessed from the same rate. Bytes must not lead into the middle of
        // a sample, or of a block that no decoder could tell from the next.
        let goesByBytes = container.isLengthGuessed && !sound.hasUnmarkedBlocks
        let bytes = container.bytesBetweenTags
        // Any time at all leaves out one packet.
        let settling = container.isOne(of: "mp3") ? (Self.leadIn + Self.piece) / 2 : .ulpOfOne
        var paces: [Double] = []
        for bar in 0..<Self.bars {
            let part = (Double(bar) + 0.5) / Double(Self.bars)
            let start = max(0, part * duration - Self.piece / 2)
            guard goesByBytes ? container.seek(part: part, of: bytes) : container.seek(sound, to: start) else {
                levels.append(0)
                continue
            }
            decoder.restart(keyFramesOnly: false)
            (passed, unsettled) = ((0, 0), goesByBytes ? settling : 0)
            let piece = decode(seconds: Self.leadIn + Self.piece, skipping: Self.leadIn)
            if !piece.isEmpty { found += 1 }
            if goesByBytes, passed.bytes > 0, passed.seconds > 0 { paces.append(passed.seconds / passed.bytes) }
            levels.append(piece.reduce(into: Loudness()) { $0.add($1) }.level)
        }
        guard found * 2 > Self.bars else { return nil }
        if paces.count * 2 > Self.bars {
            measuredDuration = Double(bytes.count) * paces.reduce(0, +) / Double(paces.count)
        }
        return levels
    }

    /// Decodes from the start, and shares it out among the bars.
    /// - Returns: `nil` when nothing could be decoded.
    private func beginning() -> [Double]? {
        // A file that was only just opened stands there. Some formats cannot be sent back without an index.
        if hasMoved {
            _ = container.seek(sound, to: 0) || container.rewind(sound)
            decoder.restart(keyFramesOnly: false)
        }
        (passed, unsettled, hasEnded) = ((0, 0), 0, false)
        let pieces = decode(seconds: Self.seconds, skipping: 0)
        guard !pieces.isEmpty else { return nil }
        if container.isLengthGuessed, hasEnded, passed.seconds > 0 { measuredDuration = passed.seconds }
        return (0..<Self.bars).map { bar in
            // Of fewer pieces than bars each is shown more than once.
            let from = bar * pieces.count / Self.bars
            let to = max(from + 1, (bar + 1) * pieces.count / Self.bars)
            return pieces[from..<to].reduce(into: Loudness()) { $0.add($1) }.level
        }
    }

    /// Decodes from where the container stands.
    /// - Parameters:
    ///   - seconds: how much.
    ///   - lead: how much of it does not count.
    /// - Returns: the loudness, piece by piece; empty when nothing came.
    private func decode(seconds: Double, skipping lead: Double) -> [Loudness] {
        var pieces: [Loudness] = []
        var heard = 0.0
        func take(_ frame: UnsafeMutablePointer<AVFrame>) {
            // Silence that codecs put in front is marked, and has no samples.
            let rate = max(1000, frame.pointee.sample_rate)
            heard += Double(max(0, frame.pointee.nb_samples)) / Double(rate)
            if heard >= lead || pieces.isEmpty { pieces += Loudness.pieces(of: frame) }
        }
        var left = Self.packets
        while heard < seconds, left > 0, next() {
            left -= 1
            decoder.decode(packet, take)
            av_packet_unref(packet)
        }
        if heard < seconds { decoder.decode(nil, take) }
        return pieces
    }

    /// Reads the next packet of the sound.
    /// - Returns: whether there is one.
    private func next() -> Bool {
        guard let packet, container.read(sound, into: packet) else {
            hasEnded = true
            return false
        }
        sawPackets = true
        let seconds = Double(max(0, packet.pointee.duration)) * av_q2d(sound.pointer.pointee.time_base)
        if unsettled > 0 {
            unsettled -= seconds.isFinite ? seconds : 0
        } else if seconds.isFinite {
            passed.bytes += Double(max(0, packet.pointee.size))
            passed.seconds += seconds
        }
        if av_packet_get_side_data(packet, AV_PKT_DATA_ENCRYPTION_INFO, nil) != nil { sawCiphertext = true }
        return true
    }

    private static let enciphered = PluginError(
        .locked, "the sound is enciphered; without its key it cannot be drawn")
}

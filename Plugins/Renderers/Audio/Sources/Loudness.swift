internal import AVMedia
internal import CAV

/// How loud a piece of sound is: the mean of its squared samples, over all channels.
struct Loudness {
    private var sum = 0.0
    private var count = 0.0

    /// The root of the mean square; 1 is the loudest sine that fits, times √½. 0 when there is no sample.
    var level: Double { count > 0 ? (sum / count).squareRoot() : 0 }

    /// Takes in another piece.
    mutating func add(_ other: Loudness) {
        sum += other.sum
        count += other.count
    }

    /// Measures a decoded frame, piece by piece. Frames whose samples have a form that is not known have none.
    static func pieces(of frame: UnsafeMutablePointer<AVFrame>) -> [Loudness] {
        let format = AVSampleFormat(frame.pointee.format)
        let samples = Int(frame.pointee.nb_samples)
        let all = Int(frame.pointee.ch_layout.nb_channels)
        let isPlanar = av_sample_fmt_is_planar(format) != 0
        let (size, planes) = (Int(av_get_bytes_per_sample(format)), isPlanar ? min(all, channelLimit) : 1)
        guard samples > 0, all > 0, size > 0, let data = frame.pointee.extended_data else { return [] }
        // Samples of all channels lie in one plane, or each channel has one of its own.
        let width = isPlanar ? 1 : all
        return stride(from: 0, to: samples, by: pieceLength).map { start in
            var loudness = Loudness()
            let values = min(pieceLength, samples - start) * width
            for plane in 0..<planes {
                guard let plane = data[plane] else { continue }
                loudness.measure(plane + start * width * size, values, av_get_packed_sample_fmt(format))
            }
            return loudness
        }
    }

    /// Samples of a channel that are measured together.
    private static let pieceLength = 512

    /// No sample.
    init() {}

    /// Channels that are looked at.
    private static let channelLimit = 8

    private mutating func measure(_ data: UnsafePointer<UInt8>, _ count: Int, _ format: AVSampleFormat) {
        switch format {
        case AV_SAMPLE_FMT_U8: add(data, count, UInt8.self) { (Float($0) - 128) / 128 }
        case AV_SAMPLE_FMT_S16: add(data, count, Int16.self) { Float($0) / 0x1p15 }
        case AV_SAMPLE_FMT_S32: add(data, count, Int32.self) { Float($0) / 0x1p31 }
        case AV_SAMPLE_FMT_S64: add(data, count, Int64.self) { Float($0) / 0x1p63 }
        case AV_SAMPLE_FMT_FLT: add(data, count, Float.self) { $0 }
        case AV_SAMPLE_FMT_DBL: add(data, count, Double.self) { Float($0) }
        default: return
        }
    }

    @inline(__always) private mutating func add<Sample>(
        _ data: UnsafePointer<UInt8>, _ count: Int, _ type: Sample.Type, _ value: (Sample) -> Float
    ) {
        let samples = UnsafeRawBufferPointer(start: data, count: count * MemoryLayout<Sample>.stride).bindMemory(
            to: type)
        var squares: Float = 0
        for sample in samples {
            let value = value(sample)
            squares += value * value
        }
        // Samples of floating point may be anything, if only in a damaged file.
        guard squares.isFinite else { return }
        sum += Double(squares)
        self.count += Double(count)
    }
}

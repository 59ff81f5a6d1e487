/// When the ticks of a song are.
struct MIDIClock {
    /// From a tick on, which is so many seconds from the start, ticks last so long.
    private var spans: [(tick: Int, seconds: Double, length: Double)]

    /// - Parameters:
    ///   - tempos: from when on a quarter of a whole note lasts how many microseconds, in any order.
    ///   - division: as the header of the file has it: ticks of a quarter; or, with the highest bit, 256 less the frames
    ///     of a second, and behind it the ticks of a frame, whatever the tempo.
    init(_ tempos: [(tick: Int, quarter: Int)], division: Int) {
        guard division & 0x8000 == 0 else {
            let frames = 256 - division >> 8
            spans = [(0, 0, 1 / Double(frames * max(1, division & 0xFF)))]
            return
        }
        func length(_ quarter: Int) -> Double { Double(quarter) / 1_000_000 / Double(max(1, division)) }
        // 120 beats a minute, as long as nothing is said.
        spans = [(0, 0, length(500_000))]
        for tempo in tempos.sorted(by: { $0.tick < $1.tick }) {
            spans.append((tempo.tick, seconds(at: tempo.tick), length(tempo.quarter)))
        }
    }

    /// Seconds from the start of the song to a tick.
    func seconds(at tick: Int) -> Double {
        var (low, high) = (0, spans.count)
        while high - low > 1 {
            let middle = (low + high) / 2
            if spans[middle].tick <= tick { low = middle } else { high = middle }
        }
        return spans[low].seconds + Double(tick - spans[low].tick) * spans[low].length
    }
}

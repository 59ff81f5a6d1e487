import Timing

/// How fast something grows, as seen over the last seconds.
struct RateMeter {
    /// What it grew by in a second, on average; 0 until some time has passed.
    private(set) var rate = 0.0
    private let window: Duration
    private var samples: [(time: ContinuousClock.Instant, count: Int64)]

    /// - Parameters:
    ///   - began: when there was nothing of it yet.
    ///   - window: how far back it looks.
    init(since began: ContinuousClock.Instant, over window: Duration) {
        samples = [(began, 0)]
        self.window = window
    }

    /// Takes how much there is now, which is 0 or more. What becomes less counts as no growth.
    mutating func take(_ count: Int64, at now: ContinuousClock.Instant) {
        samples.append((now, count))
        samples.removeAll { now - $0.time > window }
        guard let first = samples.first, now > first.time else { return }
        rate = max(0, Double(count - first.count) / (now - first.time).inSeconds)
    }
}

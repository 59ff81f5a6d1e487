internal import Glibc

/// A bound on the time for which something is computed, by the processor's clock, which does not go on while others have the
/// core.
struct Effort {
    private let end: Double

    /// - Parameter seconds: of this thread, from now on.
    init(seconds: Double) { end = Self.now + seconds }

    /// Whether that time is over.
    var isOver: Bool { Self.now >= end }

    private static var now: Double {
        var time = timespec()
        // Cannot fail: Linux has it since 2.6.12.
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) * 1e-9
    }
}

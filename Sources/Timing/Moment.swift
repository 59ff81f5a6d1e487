import Glibc

/// A moment on the clock that goes on while the machine sleeps, as `ContinuousClock` has it.
///
/// Of `ContinuousClock.Instant` only Swift's own library knows how large it is: whatever holds one is copied by calls through
/// tables, and takes memory of its own in each asynchronous function. Every item passes through many of these.
public struct Moment: Hashable, Comparable, Sendable {
    /// Nanoseconds since the machine started.
    private var nanoseconds: Int64

    private init(_ nanoseconds: Int64) { self.nanoseconds = nanoseconds }

    /// This moment.
    public static var now: Moment {
        var time = timespec()
        // Cannot fail: Linux has it since 2.6.39.
        clock_gettime(CLOCK_BOOTTIME, &time)
        return Moment(Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec))
    }

    /// The time until another moment; negative for an earlier one.
    public func duration(to other: Moment) -> Duration {
        .nanoseconds(other.nanoseconds) - .nanoseconds(nanoseconds)
    }

    /// The time since another moment; negative for a later one.
    public static func - (a: Moment, b: Moment) -> Duration { b.duration(to: a) }

    /// A moment so much later; at most 292 years after the machine started.
    public static func + (a: Moment, b: Duration) -> Moment {
        let (seconds, attoseconds) = b.components
        let (whole, isLong) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
        let (wait, isLonger) = whole.addingReportingOverflow(attoseconds / 1_000_000_000)
        let (sum, isFar) = a.nanoseconds.addingReportingOverflow(wait)
        return Moment(isLong || isLonger || isFar ? (seconds < 0 ? .min : .max) : sum)
    }

    /// A moment so much earlier.
    public static func - (a: Moment, b: Duration) -> Moment { a + (.zero - b) }

    /// Puts a moment so much off.
    public static func += (a: inout Moment, b: Duration) { a = a + b }

    /// Earlier before later.
    public static func < (a: Moment, b: Moment) -> Bool { a.nanoseconds < b.nanoseconds }
}

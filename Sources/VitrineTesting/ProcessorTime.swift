internal import Glibc

/// How much processor time something takes: for bounds on what is computed. The clock would count what others do on the
/// machine, too.
public enum ProcessorTime {
    /// Does something.
    /// - Returns: the processor time that the calling thread took for it.
    public static func measure(_ body: () throws -> Void) rethrows -> Duration {
        let began = now
        try body()
        return now - began
    }

    private static var now: Duration {
        var time = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
    }
}

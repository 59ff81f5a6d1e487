import Synchronization

/// Where the time of an attempt went that may fail: what a worker does not tell then is measured from outside.
final class SpentTime: Sendable {
    private let times = Mutex(StageTimes())

    /// The attempt had its turn.
    func waited(_ time: Duration) { times.withLock { $0.wait += time } }

    /// A worker drew nothing.
    /// - Parameters:
    ///   - start: until there was one.
    ///   - work: until it had answered, or was lost; what it waited for ranges is in it.
    func failed(_ start: Duration, _ work: Duration) {
        times.withLock { times in
            times.start += start
            times.render += work
        }
    }

    /// Adds all of it.
    func add(to sum: inout StageTimes) {
        let times = times.withLock { $0 }
        sum.wait += times.wait
        sum.start += times.start
        sum.render += times.render
    }
}

import Synchronization
import Timing

/// Knows how long nobody has asked a service for anything.
final class ServiceUse: Sendable {
    private struct State {
        /// Pieces of work that were asked for and are not done.
        var pending = 0
        var last = Moment.now
    }

    private let state = Mutex(State())

    /// Notes that something is asked for, which takes a while.
    func begin() { change(by: 1) }

    /// Notes that it is done.
    func end() { change(by: -1) }

    /// Notes that somebody asked.
    func touch() { change(by: 0) }

    private func change(by count: Int) {
        state.withLock { state in
            state.pending += count
            state.last = .now
        }
    }

    /// How long it has been; `nil` while there is something to do.
    var idleTime: Duration? { state.withLock { $0.pending == 0 ? Moment.now - $0.last : nil } }
}

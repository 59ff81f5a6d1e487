import Synchronization

/// Items that were seen to be gone from a source of a watch or a run, and of which that is not told yet: another source,
/// which has its own turn, may have found them, or be about to.
final class Departures: Sendable {
    typealias Instant = ContinuousClock.Instant

    /// What is to be told of an item that is gone.
    enum Verdict: Equatable {
        /// That it is gone, at once.
        case tell
        /// The same, after ``delay``, unless it arrives elsewhere.
        case wait
        /// Nothing: it is known to be at another place.
        case pass
    }

    private struct State {
        var waiting: [String: (source: String, since: Instant)] = [:]
        /// Where items came from that another source found, and when.
        var arrived: [String: Instant] = [:]
    }

    private let state = Mutex(State())

    /// How long it is waited for another source: longer than changes are gathered, and than a look at some folders takes.
    static let delay = Duration.seconds(1)
    /// The same while not all sources were looked at for the first time.
    static let patience = Duration.seconds(10)
    /// How long it is remembered where something came from: a look at a large folder may end later.
    private static let memory = Duration.seconds(60)
    /// How many are remembered of each kind. What is gone besides is told at once.
    static let limit = 1 << 16

    /// An item is gone.
    /// - Parameters:
    ///   - uri: the item.
    ///   - source: the URI of the source that it is gone from.
    ///   - now: the moment.
    func left(_ uri: String, _ source: String, at now: Instant) -> Verdict {
        state.withLock { state in
            if let moment = state.arrived.removeValue(forKey: uri), now - moment < Self.memory { return .pass }
            guard state.waiting.count < Self.limit else { return .tell }
            state.waiting[uri] = (source, now)
            return .wait
        }
    }

    /// An item that was known at a place is at another one: nothing is told of its old place besides.
    func arrived(from uri: String, at now: Instant) {
        state.withLock { state in
            if state.waiting.removeValue(forKey: uri) != nil { return }
            // Without it more is told than need be, and nothing wrong.
            if state.arrived.count >= Self.limit { state.arrived = [:] }
            state.arrived[uri] = now
        }
    }

    /// The same for a run, in which what is gone from a place is found elsewhere later, if at all: nothing is remembered of
    /// what was not waited for.
    func found(from uri: String) { state.withLock { $0.waiting[uri] = nil } }

    /// Something is at a place now, so that what happened there before is to be told before it.
    /// - Returns: the source of what is gone from there, if that is not told yet.
    func appeared(at uri: String) -> String? {
        state.withLock { state in
            state.arrived[uri] = nil
            return state.waiting.removeValue(forKey: uri)?.source
        }
    }

    /// When the first item left a source of which that is not told yet.
    func first(from source: String) -> Instant? {
        state.withLock { $0.waiting.values.lazy.filter { $0.source == source }.map(\.since).min() }
    }

    /// Takes items that left a source, in that order.
    /// - Parameter moment: only those that left before or then; `nil` for all.
    func take(from source: String, until moment: Instant?) -> [String] {
        state.withLock { state in
            let ripe = state.waiting.filter { _, left in
                left.source == source && moment.map { left.since <= $0 } ?? true
            }
            for uri in ripe.keys { state.waiting[uri] = nil }
            return ripe.sorted { ($0.value.since, $0.key) < ($1.value.since, $1.key) }.map(\.key)
        }
    }
}

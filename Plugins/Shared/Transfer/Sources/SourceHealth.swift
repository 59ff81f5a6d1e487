import Synchronization
public import VitrineKit

/// What all requests of a source share, so that it is left in peace when it is in trouble: after ten failures in a row it
/// rests, for as long as a server asks nothing is sent, and tries again are counted out.
///
/// For every backend that talks to a server, also without ``TransferClient``. Moments are parameters, for tests.
public final class SourceHealth: Sendable {
    /// Failures in a row before a source rests.
    public static let failuresBeforeRest = 10
    /// The first rest; each further one is twice as long, up to ``longestRest``.
    public static let firstRest = Duration.seconds(15)
    /// The longest rest.
    public static let longestRest = Duration.seconds(300)
    /// Tries again that are left in the beginning, and at most.
    public static let retries = 20.0
    /// What each success gives back of them: one try again for ten requests goes on for ever.
    public static let earned = 0.1

    private struct State {
        var failures = 0
        var rests = 0
        var restsUntil: ContinuousClock.Instant?
        /// When the one request was let through that finds out whether the source is well again.
        var trial: ContinuousClock.Instant?
        var silentUntil: ContinuousClock.Instant?
        var retries = SourceHealth.retries
        /// When the next request may be sent, where there is a limit to their rate.
        var next: ContinuousClock.Instant?
    }

    private let name: String
    /// Between two requests.
    private let pause: Duration
    private let state = Mutex(State())

    /// Begins well.
    /// - Parameters:
    ///   - name: the server, for sentences.
    ///   - rate: requests a second at most. Default: no limit.
    public init(name: String, rate: Double? = nil) {
        self.name = name
        pause = rate.map { .seconds(1 / $0) } ?? .zero
    }

    /// Asks whether a request may be sent.
    /// - Returns: how long to wait before, since the server asked for it or the rate is limited.
    /// - Throws: `offline` at once while the source rests.
    public func admit(at now: ContinuousClock.Instant = .now) throws(PluginError) -> Duration {
        let (wait, rest): (Duration, Duration?) = state.withLock { state in
            if let until = state.restsUntil {
                if now < until { return (.zero, until - now) }
                // A trial that never came back does not block the source for ever.
                if let trial = state.trial, now - trial < .seconds(60) { return (.zero, .seconds(60) - (now - trial)) }
                state.trial = now
            }
            var turn = max(now, state.silentUntil ?? now)
            if pause > .zero {
                turn = max(turn, state.next ?? turn)
                state.next = turn + pause
            }
            return (turn - now, nil)
        }
        if let rest {
            throw PluginError(
                .offline,
                "'\(name)' failed \(Self.failuresBeforeRest) times in a row and is left alone for now: it is asked again in "
                    + "\(rest.components.seconds + 1) s")
        }
        return wait
    }

    /// An answer came, of whatever kind.
    public func succeeded() {
        state.withLock { state in
            state.failures = 0
            state.rests = 0
            state.restsUntil = nil
            state.trial = nil
            state.retries = min(Self.retries, state.retries + Self.earned)
        }
    }

    /// The source failed to answer.
    public func failed(at now: ContinuousClock.Instant = .now) {
        state.withLock { state in
            state.failures += 1
            state.trial = nil
            guard state.failures >= Self.failuresBeforeRest else { return }
            // Requests that were under way when the rest began do not make it longer.
            if let until = state.restsUntil, now < until { return }
            state.restsUntil = now + min(Self.longestRest, Self.firstRest * (1 << min(state.rests, 10)))
            state.rests += 1
        }
    }

    /// A request was given up before it was known how it ends.
    public func abandoned() { state.withLock { $0.trial = nil } }

    /// The server asks everybody to wait.
    public func quiet(for duration: Duration, at now: ContinuousClock.Instant = .now) {
        state.withLock { $0.silentUntil = max($0.silentUntil ?? now, now + duration) }
    }

    /// Takes one try again out of what is left of them.
    public func takeRetry() -> Bool {
        state.withLock { state in
            guard state.retries >= 1 else { return false }
            state.retries -= 1
            return true
        }
    }
}

public import Dispatch

/// Waits for something in another process or task, which cannot tell when it happens.
public enum Condition {
    /// It did not happen in time.
    public struct NotMet: Error, CustomStringConvertible {
        var what: String
        var limit: Duration
        /// What a test that fails for it says.
        public var description: String { "within \(limit) this did not happen: \(what)" }
    }

    /// Looks again and again. Time limits of Swift Testing only cancel, which such waiting would not notice.
    /// - Parameters:
    ///   - what: for the message.
    ///   - limit: how long to look. Generous: it is only used up when something is wrong. Default: short enough that a cause
    ///     which many tests have in common does not use up the time of all of them.
    ///   - pause: between two looks.
    ///   - condition: looks once.
    /// - Throws: ``NotMet``, and what `condition` throws.
    public static func met(
        _ what: String, within limit: Duration = .seconds(180), every pause: DispatchTimeInterval = .milliseconds(5),
        _ condition: () async throws -> Bool
    ) async throws {
        let end = ContinuousClock.now + limit
        while try await !condition() {
            guard ContinuousClock.now < end else { throw NotMet(what: what, limit: limit) }
            await moment(pause)
        }
    }

    /// Leaves the processor to others.
    private static func moment(_ pause: DispatchTimeInterval) async {
        await withCheckedContinuation { continuation in
            DispatchQueue.global().asyncAfter(deadline: .now() + pause) { continuation.resume() }
        }
    }
}

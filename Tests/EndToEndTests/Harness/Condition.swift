import Dispatch

/// Waits for something in another process, which cannot tell when it happens.
enum Condition {
    /// It did not happen in time.
    struct NotMet: Error, CustomStringConvertible {
        var what: String
        var limit: Duration
        var description: String { "within \(limit) this did not happen: \(what)" }
    }

    /// Looks again and again.
    /// - Parameters:
    ///   - what: for the message.
    ///   - limit: how long to look. Generous: it is only used up when something is wrong.
    ///   - pause: between two looks.
    ///   - condition: looks once.
    static func met(
        _ what: String, within limit: Duration = .seconds(600), every pause: DispatchTimeInterval = .milliseconds(5),
        _ condition: () throws -> Bool
    ) async throws {
        let end = ContinuousClock.now + limit
        while try !condition() {
            guard ContinuousClock.now < end else { throw NotMet(what: what, limit: limit) }
            await moment(pause)
        }
    }

    /// Leaves the processor to the other process.
    private static func moment(_ pause: DispatchTimeInterval) async {
        await withCheckedContinuation { continuation in
            DispatchQueue.global().asyncAfter(deadline: .now() + pause) { continuation.resume() }
        }
    }
}

import Dispatch

/// Runs what reads files away from Swift's own threads, of which there are only as many as cores: a dead mount may
/// never answer.
enum AsideThread {
    /// Waits for some work on a thread of its own.
    static func run<Answer: Sendable>(_ work: @escaping @Sendable () -> Answer) async -> Answer {
        await withCheckedContinuation { continuation in
            // A queue for each call: one that is stuck holds up no other.
            DispatchQueue(label: "vitrine.reading").async { continuation.resume(returning: work()) }
        }
    }
}

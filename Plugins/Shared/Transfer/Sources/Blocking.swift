import Dispatch

/// Runs what may block away from Swift's own threads, on a thread that it gets at once.
public enum Blocking {
    /// Waits for it without holding a thread.
    /// - Throws: what the work throws.
    public static func run<T: Sendable, Failure: Error>(
        _ work: @escaping @Sendable () throws(Failure) -> T
    ) async throws(Failure) -> T {
        let result: Result<T, Failure> = await withCheckedContinuation { continuation in
            DispatchQueue(label: "vitrine.blocking").async { continuation.resume(returning: Result(catching: work)) }
        }
        return try result.get()
    }
}

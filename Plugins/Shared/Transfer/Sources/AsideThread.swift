import Dispatch

/// Runs what may block away from Swift's own threads, on a thread that it gets at once.
public enum AsideThread {
    /// Waits for it without holding a thread.
    public static func run<T: Sendable>(_ work: @escaping @Sendable () -> T) async -> T {
        await withCheckedContinuation { continuation in
            DispatchQueue(label: "vitrine.aside").async { continuation.resume(returning: work()) }
        }
    }
}

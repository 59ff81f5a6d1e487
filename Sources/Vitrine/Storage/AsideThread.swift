import Dispatch

/// Runs what reads files away from Swift's own threads, of which there are only as many as cores: a dead mount may
/// never answer.
enum AsideThread {
    /// For tasks that are to run on a thread of their own as a whole, from one suspension to the next.
    static let executor = AsideExecutor()

    /// Waits for some work on a thread of its own; on the present one, if that is such a thread.
    static func run<Answer: Sendable>(_ work: @escaping @Sendable () -> Answer) async -> Answer {
        if isCurrent { return work() }
        return await withCheckedContinuation { continuation in
            // A queue for each call: one that is stuck holds up no other.
            DispatchQueue(label: "vitrine.reading").async { continuation.resume(returning: work()) }
        }
    }

    private static var isCurrent: Bool {
        withUnsafeCurrentTask { $0?.unownedTaskExecutor == executor.asUnownedTaskExecutor() }
    }
}

/// Gives each piece of a task a thread at once, however many others are stuck.
///
/// A call of a storage that runs here may block: it needs no further change of threads, of which each costs some ten
/// microseconds.
final class AsideExecutor: TaskExecutor {
    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        DispatchQueue(label: "vitrine.aside").async { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
    }
}

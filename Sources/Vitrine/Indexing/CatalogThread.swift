import Dispatch
import VitrineKit
import Workers

/// The thread on which a catalog is asked and written to.
///
/// A call may wait some seconds for another process, or for a slow disk. Swift's own threads, of which there are only as
/// many as cores, would all wait with it. What asks the catalog again and again, as walks and their books do, runs here as
/// a whole, so that a call costs no change of threads.
final class CatalogThread: SerialExecutor, TaskExecutor {
    private let queue = DispatchQueue(label: "vitrine.catalog")

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        queue.async {
            job.runSynchronously(
                isolatedTo: self.asUnownedSerialExecutor(), taskExecutor: self.asUnownedTaskExecutor())
        }
    }

    /// Does something there that takes a while, and waits for it.
    /// - Parameter unlessBlocking: does it at once on a thread that may be blocked, for what takes microseconds, or as long
    ///   as others are writing into the catalog. Default: no.
    func run<Answer: Sendable>(
        unlessBlocking: Bool = false, _ work: @escaping @Sendable () throws(PluginError) -> Answer
    ) async throws(PluginError) -> Answer {
        if unlessBlocking, BlockingThread.isCurrent { return try work() }
        let answer = await withCheckedContinuation { (done: CheckedContinuation<Result<Answer, PluginError>, Never>) in
            queue.async {
                do throws(PluginError) { done.resume(returning: .success(try work())) } catch {
                    done.resume(returning: .failure(error))
                }
            }
        }
        return try answer.get()
    }
}

import Dispatch
import VitrineKit
import Workers

/// The thread on which a catalog is asked and written to.
///
/// A call may wait some seconds for another process, or for a slow disk. Swift's own threads, of which there are only as
/// many as cores, would all wait with it. What asks the catalog again and again, as walks and their books do, runs here as
/// a whole, so that a call costs no change of threads.
///
/// Tasks prefer the thread itself, actors live on its ``actors``. Were both one, Swift would take a task that calls from
/// one function into another for one that leaves an actor, and enqueue it anew at each call: eight times for each file.
final class CatalogThread: TaskExecutor {
    private let queue: DispatchQueue
    /// For actors that run there.
    let actors: Actors

    init() {
        queue = DispatchQueue(label: "vitrine.catalog")
        actors = Actors(queue: queue)
    }

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        queue.async { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
    }

    /// Runs what is isolated to actors on the thread. Whoever names it keeps the thread.
    final class Actors: SerialExecutor {
        private let queue: DispatchQueue

        fileprivate init(queue: DispatchQueue) { self.queue = queue }

        func enqueue(_ job: consuming ExecutorJob) {
            let job = UnownedJob(job)
            queue.async { job.runSynchronously(on: self.asUnownedSerialExecutor()) }
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

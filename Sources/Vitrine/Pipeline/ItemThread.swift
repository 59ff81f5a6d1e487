import Dispatch

/// The thread on which items of a run go their way, between what they wait for.
///
/// An item waits for its storage, its turn and its worker, and has little to do in between. On Swift's own threads each of
/// these ends would wake another sleeping one; here the thread that is awake takes them one after the other.
final class ItemThread: TaskExecutor {
    private let queue = DispatchQueue(label: "vitrine.items")
    private static let mark = DispatchSpecificKey<Void>()

    init() { queue.setSpecific(key: Self.mark, value: ()) }

    /// Threads for so many renderings at once: one for two, but two at least, so that a slow disk holds up half of them.
    static func several(jobs: Int) -> [ItemThread] { (0..<max(2, (jobs + 1) / 2)).map { _ in ItemThread() } }

    /// Whether this is such a thread: what waits a little for the catalog holds up no others then but items of its run,
    /// which wait for the same.
    static var isCurrent: Bool { DispatchQueue.getSpecific(key: mark) != nil }

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        queue.async { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
    }
}

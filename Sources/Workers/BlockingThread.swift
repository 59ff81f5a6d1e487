import Dispatch
import Glibc
import Synchronization

/// A thread of our own for one task after the other, on which calls may block.
///
/// Of Swift's own threads there are only as many as cores, so what blocks has to leave them, and to come back: two changes
/// of threads, of which each costs some ten microseconds. A task that prefers one of these stays on it from its first step
/// to its last, calls of actors and waiting for a worker included.
///
/// Lend it to one task at a time. What is enqueued by the thread itself wakes nobody; what comes from elsewhere waits
/// until the present step returns, so that only what has a deadline, or cannot hang, may block here.
public final class BlockingThread: TaskExecutor {
    private struct State {
        var jobs: [UnownedJob] = []
        var isAsleep = false
    }

    private let state = Mutex(State())
    private let alarm = DispatchSemaphore(value: 0)

    /// Those that nobody uses. They are never ended: their number is that of the most tasks that ran at once.
    private static let idle = Mutex<[BlockingThread]>([])

    private init() {}

    /// Takes threads for some tasks; give them back when these have ended.
    /// - Returns: fewer, or none, where the system allows no more.
    public static func borrow(_ count: Int) -> [BlockingThread] {
        let known = idle.withLock { idle in
            let known = Array(idle.suffix(count))
            idle.removeLast(known.count)
            return known
        }
        return known + (known.count..<max(count, known.count)).compactMap { _ in started() }
    }

    /// Gives threads back. Work that others share may still run there, and is finished.
    public static func giveBack(_ threads: [BlockingThread]) { idle.withLock { $0 += threads } }

    /// Whether the calling task prefers the thread that it runs on, and that is one of these, so that its calls may block
    /// it.
    ///
    /// The thread alone says too little: actors that a task calls run what others want of them on its thread, and those go on
    /// there when they leave the actor.
    public static var isCurrent: Bool {
        guard let current else { return false }
        let thread = Unmanaged<BlockingThread>.fromOpaque(current).takeUnretainedValue()
        return withUnsafeCurrentTask { $0?.unownedTaskExecutor == thread.asUnownedTaskExecutor() }
    }

    private static var current: UnsafeMutableRawPointer? { pthread_getspecific(key) }

    private static let key: pthread_key_t = {
        var key = pthread_key_t()
        guard pthread_key_create(&key, nil) == 0 else { preconditionFailure("no room for another key of threads") }
        return key
    }()

    /// Has the thread run the next step of a task.
    public func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        let wakes = state.withLock { state in
            state.jobs.append(job)
            defer { state.isAsleep = false }
            return state.isAsleep
        }
        if wakes { alarm.signal() }
    }

    private func next() -> [UnownedJob] {
        while true {
            let jobs = state.withLock { state in
                defer { state.jobs.removeAll() }
                state.isAsleep = state.jobs.isEmpty
                return state.jobs
            }
            if !jobs.isEmpty { return jobs }
            alarm.wait()
        }
    }

    private func run() -> Never {
        while true {
            for job in next() { job.runSynchronously(on: asUnownedTaskExecutor()) }
        }
    }

    /// - Returns: `nil` when the system allows no further thread.
    private static func started() -> BlockingThread? {
        let executor = BlockingThread()
        // Signals are for those threads that wait for them.
        var (all, before, thread) = (sigset_t(), sigset_t(), pthread_t())
        sigfillset(&all)
        pthread_sigmask(SIG_SETMASK, &all, &before)
        let retained = Unmanaged.passRetained(executor)
        let failure = pthread_create(
            &thread, nil,
            { executor in
                guard let executor else { return nil }
                pthread_setspecific(BlockingThread.key, executor)
                Unmanaged<BlockingThread>.fromOpaque(executor).takeUnretainedValue().run()
            }, retained.toOpaque())
        pthread_sigmask(SIG_SETMASK, &before, nil)
        guard failure == 0 else {
            retained.release()
            return nil
        }
        pthread_detach(thread)
        return executor
    }
}

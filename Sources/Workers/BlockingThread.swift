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
///
/// The thread of the system, with its stack, ends when nothing came for half a minute, and another one is started for what
/// comes then.
public final class BlockingThread: TaskExecutor {
    private struct State {
        var jobs: [UnownedJob] = []
        var isAsleep = false
        var isRunning = false
    }

    private let state = Mutex(State())
    private let alarm = DispatchSemaphore(value: 0)
    private let patience: DispatchTimeInterval

    /// Those that nobody uses. They are never let go, since tasks and actors do not own what they prefer; their number is
    /// that of the most tasks that ran at once.
    private static let idle = Mutex<[BlockingThread]>([])

    /// - Parameter patience: how long the thread waits for work before it ends.
    init(patience: DispatchTimeInterval = .seconds(30)) { self.patience = patience }

    /// Takes threads for some tasks; give them back when these have ended.
    /// - Returns: fewer, or none, where the system allows no more.
    public static func borrow(_ count: Int) -> [BlockingThread] {
        var taken = idle.withLock { idle in
            let known = Array(idle.suffix(count))
            idle.removeLast(known.count)
            return known
        }
        while taken.count < count { taken.append(BlockingThread()) }
        let refused = taken.indices.filter { !taken[$0].start() }
        for index in refused.reversed() { giveBack([taken.remove(at: index)]) }
        return taken
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
        let (wakes, isRunning) = state.withLock { state in
            state.jobs.append(job)
            defer { state.isAsleep = false }
            return (state.isAsleep, state.isRunning)
        }
        if wakes { alarm.signal() }
        if !isRunning { _ = start() }
    }

    /// Whether it has a thread of the system now.
    var isRunning: Bool { state.withLock { $0.isRunning } }

    /// - Returns: what is to be done; `nil` when nothing came for so long that the thread is to end.
    private func next() -> [UnownedJob]? {
        var isLate = false
        while true {
            let (jobs, ends) = state.withLock { state in
                defer { state.jobs.removeAll() }
                let ends = isLate && state.jobs.isEmpty
                state.isAsleep = state.jobs.isEmpty && !ends
                state.isRunning = !ends
                return (state.jobs, ends)
            }
            if ends { return nil }
            if !jobs.isEmpty { return jobs }
            isLate = alarm.wait(timeout: .now() + patience) == .timedOut
        }
    }

    private func run() {
        while let jobs = next() {
            for job in jobs { job.runSynchronously(on: asUnownedTaskExecutor()) }
        }
    }

    /// Starts a thread unless there is one.
    /// - Returns: `false` when the system allows no further one.
    private func start() -> Bool {
        let isNeeded = state.withLock { state in
            defer { state.isRunning = true }
            return !state.isRunning
        }
        if !isNeeded || startThread() { return true }
        let jobs = state.withLock { state in
            defer { (state.isRunning, state.jobs) = (false, []) }
            return state.jobs
        }
        // No task may wait for ever: its calls find that they may not block there.
        for job in jobs { DispatchQueue.global().async { job.runSynchronously(on: self.asUnownedTaskExecutor()) } }
        return false
    }

    private func startThread() -> Bool {
        // Signals are for those threads that wait for them.
        var (all, before, thread) = (sigset_t(), sigset_t(), pthread_t())
        sigfillset(&all)
        pthread_sigmask(SIG_SETMASK, &all, &before)
        let retained = Unmanaged.passRetained(self)
        let failure = pthread_create(
            &thread, nil,
            { executor in
                guard let executor else { return nil }
                pthread_setspecific(BlockingThread.key, executor)
                let own = Unmanaged<BlockingThread>.fromOpaque(executor)
                own.takeUnretainedValue().run()
                own.release()
                return nil
            }, retained.toOpaque())
        pthread_sigmask(SIG_SETMASK, &before, nil)
        guard failure == 0 else {
            retained.release()
            return false
        }
        pthread_detach(thread)
        return true
    }
}

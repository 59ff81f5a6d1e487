import Containment
import Glibc
import Synchronization

/// The workers that a pool has: those that wait for work, and those at work.
///
/// It is kept under a lock and is no part of the pool's actor: who enters one changes executors twice, and of very many items
/// each takes a worker and gives it back.
final class WorkerShelf: Sendable {
    private struct IdleWorker {
        var process: WorkerProcess
        var since: ContinuousClock.Instant
    }

    private struct State {
        /// The one that waited longest first.
        var idle: [IdleWorker] = []
        var busy: [pid_t: WorkerProcess] = [:]
        /// Ended, and perhaps not reaped yet.
        var retired: [WorkerProcess] = []
        /// How the workers of each renderer are contained.
        var reports: [WorkerSpecification: ContainmentReport] = [:]
        var sweeper: Task<Void, Never>?
        var isClosed = false
    }

    private let state = Mutex(State())
    private let maximumIdle: Int

    /// - Parameter maximumIdle: the most workers that wait for work; the one that waited longest goes first.
    init(maximumIdle: Int) { self.maximumIdle = maximumIdle }

    /// Whether no work begins any more.
    var isClosed: Bool { state.withLock { $0.isClosed } }

    /// How many workers wait for work.
    var idleCount: Int { state.withLock { $0.idle.count } }

    /// What was found out about the containment of each renderer's workers.
    var reports: [WorkerSpecification: ContainmentReport] { state.withLock { $0.reports } }

    /// Remembers how well a worker is contained: so are all of its renderer.
    func note(_ report: ContainmentReport, of specification: WorkerSpecification) {
        state.withLock { $0.reports[specification] = report }
    }

    /// Takes the worker of a renderer that waits for the shortest time.
    func takeIdle(_ specification: WorkerSpecification, where isWanted: (WorkerProcess) -> Bool) -> WorkerProcess? {
        state.withLock { state in
            let index = state.idle.lastIndex { $0.process.specification == specification && isWanted($0.process) }
            return index.map { state.idle.remove(at: $0).process }
        }
    }

    /// Ends the worker of a renderer that waited longest, if any waits.
    func retireIdle(_ specification: WorkerSpecification) {
        let process = state.withLock { state in
            let index = state.idle.firstIndex { $0.process.specification == specification }
            return index.map { state.idle.remove(at: $0).process }
        }
        if let process { retire(process) }
    }

    /// A worker begins a job.
    /// - Returns: whether it may.
    func begin(_ process: WorkerProcess) -> Bool {
        state.withLock { state in
            if !state.isClosed { state.busy[process.pid] = process }
            return !state.isClosed
        }
    }

    /// A worker ended its job, and nobody has it now.
    /// - Returns: whether the pool is still open.
    func end(_ process: WorkerProcess) -> Bool {
        state.withLock { state in
            state.busy[process.pid] = nil
            return !state.isClosed
        }
    }

    /// Has a worker wait for work, in place of those that waited longest, if there are too many.
    func give(_ process: WorkerProcess) {
        let surplus = state.withLock { state in
            if state.isClosed { return [process] }
            state.idle.append(IdleWorker(process: process, since: .now))
            let surplus = state.idle.prefix(max(0, state.idle.count - maximumIdle)).map(\.process)
            state.idle.removeFirst(surplus.count)
            return surplus
        }
        for process in surplus { retire(process) }
    }

    /// Ends a process, and remembers it until the end of the pool.
    func retire(_ process: WorkerProcess) {
        process.end()
        state.withLock { state in
            state.retired.removeAll(where: \.isGone)
            state.retired.append(process)
        }
    }

    // MARK: Sweeping

    /// Starts what ends workers that wait too long, unless it runs.
    func sweep(_ start: () -> Task<Void, Never>) {
        state.withLock { state in
            if state.sweeper == nil, !state.isClosed { state.sweeper = start() }
        }
    }

    /// Ends workers that waited too long.
    /// - Parameters:
    ///   - time: how long is too long while nobody is at work.
    ///   - timeBesideOthers: how long is too long beside others that are.
    /// - Returns: which of both it was.
    func sweep(_ time: Duration, besideOthers timeBesideOthers: Duration) -> Duration {
        let now = ContinuousClock.now
        let (patience, late) = state.withLock { state in
            let patience = state.busy.isEmpty ? time : min(time, timeBesideOthers)
            let late = state.idle.filter { now - $0.since >= patience }.map(\.process)
            state.idle.removeAll { now - $0.since >= patience }
            return (patience, late)
        }
        for process in late { retire(process) }
        return patience
    }

    /// Whether nobody waits, so that there is nothing to sweep; then it is not swept any more.
    func endsSweeping() -> Bool {
        state.withLock { state in
            if state.idle.isEmpty { state.sweeper = nil }
            return state.idle.isEmpty
        }
    }

    /// The renderers that have a worker.
    var specifications: [WorkerSpecification] {
        state.withLock { $0.idle.map(\.process.specification) + $0.busy.values.map(\.specification) }
    }

    /// Lets no more work begin, and ends all workers.
    /// - Returns: those that may not be reaped yet.
    func close() -> [WorkerProcess] {
        let (processes, retired) = state.withLock { state in
            state.isClosed = true
            state.sweeper?.cancel()
            let processes = state.idle.map(\.process) + state.busy.values
            defer { (state.idle, state.retired) = ([], []) }
            return (processes, state.retired)
        }
        for process in processes { process.end() }
        return processes + retired
    }
}

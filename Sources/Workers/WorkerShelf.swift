import Containment
import Synchronization
import Timing

/// The workers that a pool has: those that start, those that wait for work, and those that somebody has. Each is on one list
/// from its first moment until it is reaped, and goes to another one under the lock, so that the end of the pool sees all.
///
/// It is kept under a lock and is no part of the pool's actor: who enters one changes executors twice, and of very many items
/// each takes a worker and gives it back.
final class WorkerShelf: Sendable {
    private struct IdleWorker {
        var process: WorkerProcess
        var since: Moment
        /// Whether it started for somebody who has not taken it yet, so that it does not go before.
        var isPromised: Bool
    }

    private struct State {
        /// The one that waited longest first.
        var idle: [IdleWorker] = []
        /// Those that somebody took, and has not given back.
        var taken: [ObjectIdentifier: WorkerProcess] = [:]
        /// Processes that become workers.
        var starting: [ObjectIdentifier: WorkerProcess.Link] = [:]
        /// Ended, and perhaps not reaped yet.
        var retired: [WorkerProcess.Link] = []
        /// How the workers of each renderer are contained.
        var reports: [WorkerSpecification: ContainmentReport] = [:]
        /// How the last worker of a renderer failed to start.
        var breakages: [WorkerSpecification: String] = [:]
        var sweeper: Task<Void, Never>?
        var isClosed = false

        /// Ends a process, and remembers it until the end of the pool, which waits for what is queued by then.
        mutating func retire(_ link: WorkerProcess.Link) {
            link.end()
            retired.removeAll(where: \.isGone)
            retired.append(link)
        }
    }

    /// How many times as long as others a worker waits for whom it was started.
    private static let longerForPromised = 10

    private let state = Mutex(State())
    private let maximumIdle: Int

    /// - Parameter maximumIdle: the most workers that wait for work; the one that waited longest goes first.
    init(maximumIdle: Int) { self.maximumIdle = maximumIdle }

    /// Whether no work begins any more.
    var isClosed: Bool { state.withLock { $0.isClosed } }

    /// How many workers wait for work.
    var idleCount: Int { state.withLock { $0.idle.count } }

    /// Whether a worker is at work.
    var isAnyAtWork: Bool { state.withLock { !$0.taken.isEmpty } }

    /// What was found out about the containment of each renderer's workers.
    var reports: [WorkerSpecification: ContainmentReport] { state.withLock { $0.reports } }

    /// Remembers how well a worker is contained: so are all of its renderer.
    func note(_ report: ContainmentReport, of specification: WorkerSpecification) {
        state.withLock { $0.reports[specification] = report }
    }

    /// How a worker of a renderer failed to start that gave no reason; `nil` when none did.
    func breakage(of specification: WorkerSpecification) -> String? {
        state.withLock { $0.breakages[specification] }
    }

    /// Remembers how a process failed to become a worker of a renderer, if it gave no reason.
    func noteBreakage(of link: WorkerProcess.Link, _ specification: WorkerSpecification) {
        // One that gave a reason has not failed like those before it.
        state.withLock { $0.breakages[specification] = link.breakage }
    }

    // MARK: Starting

    /// A process is to become a worker.
    /// - Returns: whether it may; else it is ended.
    func starts(_ link: WorkerProcess.Link) -> Bool {
        state.withLock { state in
            if state.isClosed { state.retire(link) } else { state.starting[ObjectIdentifier(link)] = link }
            return !state.isClosed
        }
    }

    /// A process became a worker, which is taken.
    func started(_ process: WorkerProcess) {
        state.withLock { state in
            state.starting[ObjectIdentifier(process.link)] = nil
            if state.isClosed {
                state.retire(process.link)
            } else {
                state.taken[ObjectIdentifier(process)] = process
            }
        }
    }

    /// A process did not become a worker.
    func failed(_ link: WorkerProcess.Link) {
        state.withLock { state in
            state.starting[ObjectIdentifier(link)] = nil
            state.retire(link)
        }
    }

    // MARK: Taking and giving

    /// Takes the worker of a renderer that waits for the shortest time.
    func takeIdle(_ specification: WorkerSpecification, where isWanted: (WorkerProcess) -> Bool) -> WorkerProcess? {
        state.withLock { state in
            let index = state.idle.lastIndex { $0.process.specification == specification && isWanted($0.process) }
            guard let index else { return nil }
            let process = state.idle.remove(at: index).process
            state.taken[ObjectIdentifier(process)] = process
            return process
        }
    }

    /// Ends the worker of a renderer that waited longest, if any waits.
    func retireIdle(_ specification: WorkerSpecification) {
        state.withLock { state in
            let index = state.idle.firstIndex { $0.process.specification == specification }
            if let index { state.retire(state.idle.remove(at: index).process.link) }
        }
    }

    /// Has a worker wait for work, in place of those that waited longest, if there are too many.
    /// - Parameter isPromised: whether somebody waits for it, so that it stays whatever the bound. Default: nobody does.
    func give(_ process: WorkerProcess, isPromised: Bool = false) {
        state.withLock { state in
            state.taken[ObjectIdentifier(process)] = nil
            if state.isClosed { return state.retire(process.link) }
            state.idle.append(IdleWorker(process: process, since: .now, isPromised: isPromised))
            while state.idle.count(where: { !$0.isPromised }) > maximumIdle,
                let first = state.idle.firstIndex(where: { !$0.isPromised })
            {
                state.retire(state.idle.remove(at: first).process.link)
            }
        }
    }

    /// Ends a process that nobody needs any more, if it has not ended by itself.
    func retire(_ process: WorkerProcess) {
        state.withLock { state in
            state.taken[ObjectIdentifier(process)] = nil
            state.retire(process.link)
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
    ///   - timeIfForked: the same for workers that templates fork.
    /// - Returns: how long is too long for templates, which of the first two it was.
    func sweep(
        _ time: Duration, besideOthers timeBesideOthers: Duration, ifForked timeIfForked: Duration
    ) -> Duration {
        let now = Moment.now
        return state.withLock { state in
            let isAnyAtWork = !state.taken.isEmpty
            let patience = isAnyAtWork ? min(time, timeBesideOthers) : time
            let patienceIfForked = isAnyAtWork ? min(time, timeIfForked) : time
            // Who waits for one that is promised may be late on a busy machine; it is not kept for ever, since he may have given up.
            func isLate(_ worker: IdleWorker) -> Bool {
                let usual = worker.process.link.isForked ? patienceIfForked : patience
                return now - worker.since >= (worker.isPromised ? time * Self.longerForPromised : usual)
            }
            let late = state.idle.filter(isLate)
            state.idle.removeAll(where: isLate)
            for worker in late { state.retire(worker.process.link) }
            return patience
        }
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
        state.withLock { $0.idle.map(\.process.specification) + $0.taken.values.map(\.specification) }
    }

    /// Lets no more work begin, and ends all workers.
    /// - Returns: those that may not be reaped yet.
    func close() -> [WorkerProcess.Link] {
        state.withLock { state in
            state.isClosed = true
            state.sweeper?.cancel()
            let workers = state.idle.map(\.process.link) + state.taken.values.map(\.link)
            for link in workers + state.starting.values { state.retire(link) }
            defer { (state.idle, state.taken, state.starting, state.retired) = ([], [:], [:], []) }
            return state.retired
        }
    }
}

import Synchronization
import VitrineKit

/// Who goes first.
public enum WorkPriority: Int, Sendable {
    /// Nobody waits for it.
    case batch = 0
    /// Somebody has just saved it, and may look soon.
    case recent = 1
    /// Somebody looks at an empty frame right now.
    case interactive = 2
}

/// How urgent a piece of work is. It can become more urgent while it waits: when somebody asks to see what a batch
/// has not come to yet.
final class Urgency: Sendable {
    private let level: Atomic<Int>

    init(_ priority: WorkPriority) { level = Atomic(priority.rawValue) }

    /// Raises the urgency; it never falls.
    func raise(to priority: WorkPriority) { level.max(priority.rawValue, ordering: .relaxed) }

    func isAtLeast(_ priority: WorkPriority) -> Bool { level.load(ordering: .relaxed) >= priority.rawValue }
}

/// Lets as many renderings run at once as there are cores, interactive ones before batch.
///
/// Waiting costs no thread, and no deadline runs meanwhile. It is kept under a lock and is no actor: who enters one changes
/// executors twice, and that for every item.
final class Scheduler: Sendable {
    /// A kind of work that has a limit of its own: LibreOffice needs too much memory to run on every core.
    struct Lane: Hashable, Sendable {
        var name: String
        /// The most at once; 0: as many as there are permits.
        var limit: Int
        /// Whether the lane begins with one place and is widened only when work has waited for it, beside a core with
        /// nothing to do, for as long as it takes to start a worker. So a worker is started when it pays: five drawings
        /// among a thousand photographs need no second one. Who waits for a picture never waits for that. Default: no.
        var widens = false
    }

    private let state: Mutex<SchedulerState>

    init(permits: Int) { state = Mutex(SchedulerState(permits: max(1, permits))) }

    /// Runs `body` when it is its turn.
    /// - Throws: `cancelled` when the task is cancelled while it waits; else what `body` throws.
    func run<R: Sendable>(
        _ urgency: Urgency, in lane: Lane, _ body: () async throws(PluginError) -> R
    ) async throws(PluginError) -> R {
        guard await enter(urgency, lane) else {
            throw PluginError(.cancelled, "stopped before it was its turn")
        }
        defer { admitNext { $0.leave(lane) } }
        return try await body()
    }

    /// Lets others use the permit of work under way as long as that waits for something that needs no core.
    ///
    /// Its lane stays taken, and no more than three for each permit wait so at once: each of them holds a worker.
    func whileAway<R: Sendable>(
        _ body: () async throws(PluginError) -> R
    ) async throws(PluginError) -> R {
        var isAway = false
        admitNext { isAway = $0.goAway() }
        let result: Result<R, PluginError>
        do throws(PluginError) { result = .success(try await body()) } catch { result = .failure(error) }
        if isAway { await comeBack() }
        return try result.get()
    }

    /// Says how long it takes to start a worker of a lane, which is how long work waits before it is widened.
    func learn(startTime: Duration, of lane: Lane) {
        guard lane.widens, startTime > .zero else { return }
        state.withLock { $0.widths[lane.name, default: LaneWidth()].startTime = startTime }
    }

    /// How many wait for their turn.
    var waitingCount: Int { state.withLock { $0.waiters.count } }

    /// How many are back from waiting for a server, and have no permit yet.
    var returningCount: Int { state.withLock { $0.returning.count } }

    private func enter(_ urgency: Urgency, _ lane: Lane) async -> Bool {
        if Task.isCancelled { return false }
        guard let number = state.withLock({ $0.admits(lane, urgency) ? nil : $0.newNumber() }) else { return true }
        return await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                admitNext { state in
                    state.waiters.append(
                        SchedulerState.Waiter(number: number, urgency: urgency, lane: lane, continuation: continuation))
                }
                // Whoever cancelled it before it was there did not find it.
                if Task.isCancelled { abandon(number) }
            }
        } onCancel: {
            abandon(number)
        }
    }

    private func comeBack() async {
        if state.withLock({ $0.comesBackAtOnce() }) { return }
        // Who hands over a permit counts it.
        await withCheckedContinuation { continuation in admitNext { $0.returning.append(continuation) } }
        state.withLock { $0.away -= 1 }
    }

    private func abandon(_ number: Int) {
        let waiter = state.withLock { state in
            state.waiters.firstIndex { $0.number == number }.map { state.waiters.remove(at: $0) }
        }
        waiter?.continuation.resume(returning: false)
    }

    /// Changes something, and lets those go on whose turn it is then.
    private func admitNext(_ change: (inout SchedulerState) -> Void) {
        let (next, wait) = state.withLock { state in
            change(&state)
            return state.admitNext()
        }
        for continuation in next.returning { continuation.resume() }
        for waiter in next.waiters { waiter.continuation.resume(returning: true) }
        if let wait { widen(after: wait) }
    }

    /// Widens the lanes that work has waited for long enough by then.
    private func widen(after wait: Duration) {
        let task = Task { [weak self] in
            guard (try? await Task.sleep(for: wait)) != nil else { return }
            self?.admitNext { $0.widen() }
        }
        let earlier = state.withLock { state in
            defer { state.widening = task }
            return state.widening
        }
        earlier?.cancel()
    }
}

/// Who works, who waits, and whose turn it is.
private struct SchedulerState {
    struct Waiter {
        var number: Int
        var urgency: Urgency
        var lane: Scheduler.Lane
        var continuation: CheckedContinuation<Bool, Never>
    }

    /// Who goes on.
    struct Admitted {
        var returning: [CheckedContinuation<Void, Never>] = []
        var waiters: [Waiter] = []
    }

    let permits: Int
    private var used = 0
    private var inLane: [String: Int] = [:]
    /// How wide lanes are by now that widen.
    var widths: [String: LaneWidth] = [:]
    /// Whether work waited for a lane alone when that was looked at last.
    private var isStarving = false
    /// What widens lanes, and when.
    var widening: Task<Void, Never>?
    private var wideningDue: ContinuousClock.Instant?
    var waiters: [Waiter] = []
    /// What waited for a server, and goes on as soon as there is a permit.
    var returning: [CheckedContinuation<Void, Never>] = []
    var away = 0
    private var lastNumber = 0

    init(permits: Int) { self.permits = permits }

    /// Lets work in at once if nobody waits before it.
    mutating func admits(_ lane: Scheduler.Lane, _ urgency: Urgency) -> Bool {
        guard waiters.isEmpty, fits(lane, urgency) else { return false }
        admit(lane)
        return true
    }

    mutating func newNumber() -> Int {
        lastNumber += 1
        return lastNumber
    }

    mutating func leave(_ lane: Scheduler.Lane) {
        used -= 1
        inLane[lane.name, default: 1] -= 1
    }

    /// - Returns: whether the permit is free now.
    mutating func goAway() -> Bool {
        guard away < permits * 3 else { return false }
        away += 1
        used -= 1
        return true
    }

    /// - Returns: whether there was a permit; else one is to be waited for.
    mutating func comesBackAtOnce() -> Bool {
        guard used < permits else { return false }
        used += 1
        away -= 1
        return true
    }

    /// Interactive work first, the newest of it before the older, since that is what somebody looks at now; then what is
    /// recent, and batch work, each in its order. Work whose lane is full is passed over.
    /// - Returns: who goes on; and after which time lanes are to be widened, if that is to be waited for anew.
    mutating func admitNext() -> (Admitted, widens: Duration?) {
        var admitted = Admitted()
        if waiters.isEmpty, returning.isEmpty, !isStarving { return (admitted, nil) }
        while used < permits, !returning.isEmpty {
            used += 1
            admitted.returning.append(returning.removeFirst())
        }
        while used < permits, let next = nextWaiter {
            let waiter = waiters.remove(at: next)
            admit(waiter.lane)
            admitted.waiters.append(waiter)
        }
        return (admitted, watchWidths())
    }

    /// Whose turn it is among those that fit.
    private var nextWaiter: Int? {
        var (recent, first): (Int?, Int?)
        // The last of those that somebody waits for, else the first.
        if let last = waiters.lastIndex(where: { $0.urgency.isAtLeast(.interactive) && fits($0.lane, $0.urgency) }) {
            return last
        }
        for (index, waiter) in waiters.enumerated() where fits(waiter.lane, waiter.urgency) {
            if waiter.urgency.isAtLeast(.recent) {
                recent = index
                break
            }
            first = first ?? index
        }
        return recent ?? first
    }

    private func fits(_ lane: Scheduler.Lane, _ urgency: Urgency) -> Bool {
        guard used < permits else { return false }
        let count = inLane[lane.name, default: 0]
        guard lane.limit < 1 || count < lane.limit else { return false }
        return !lane.widens || urgency.isAtLeast(.interactive) || count < widths[lane.name, default: LaneWidth()].places
    }

    private mutating func admit(_ lane: Scheduler.Lane) {
        used += 1
        inLane[lane.name, default: 0] += 1
    }

    // MARK: Widening

    /// Counts the time in which work waits for a lane alone, beside a free permit.
    /// - Returns: after which time lanes are to be widened, unless that is waited for already.
    private mutating func watchWidths() -> Duration? {
        if used >= permits, !isStarving { return nil }
        let starved = used < permits ? Set(waiters.filter { isNarrow($0.lane) }.map(\.lane.name)) : []
        guard isStarving || !starved.isEmpty else { return nil }
        isStarving = !starved.isEmpty
        let now = ContinuousClock.now
        for name in Set(widths.keys).union(starved) {
            widths[name, default: LaneWidth()].count(isStarved: starved.contains(name), now)
        }
        guard let wait = starved.compactMap({ widths[$0]?.missing }).min() else { return nil }
        if let wideningDue, wideningDue <= now + wait { return nil }
        wideningDue = now + wait
        return wait
    }

    private func isNarrow(_ lane: Scheduler.Lane) -> Bool {
        lane.widens && (lane.limit < 1 || inLane[lane.name, default: 0] < lane.limit)
    }

    /// Widens the lanes that work has waited for long enough.
    mutating func widen() {
        wideningDue = nil
        let now = ContinuousClock.now
        for name in widths.keys { widths[name]?.widenIfDue(now) }
    }
}

/// How many places a lane has, and how long work has waited for another one.
private struct LaneWidth {
    var places = 1
    /// Until the first worker has told, a guess.
    var startTime = Duration.milliseconds(40)
    private var waited = Duration.zero
    private var since: ContinuousClock.Instant?

    /// What is missing until another place pays. A start is counted twice, since it costs memory too.
    var missing: Duration { max(.zero, startTime * 2 - waited) }

    /// Notes whether work waits from now on.
    mutating func count(isStarved: Bool, _ now: ContinuousClock.Instant) {
        if let since { waited += now - since }
        since = isStarved ? now : nil
    }

    mutating func widenIfDue(_ now: ContinuousClock.Instant) {
        count(isStarved: since != nil, now)
        guard since != nil, missing == .zero else { return }
        places *= 2
        waited = .zero
    }
}

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
/// Waiting costs no thread, and no deadline runs meanwhile.
actor Scheduler {
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

    private struct Waiter {
        var number: Int
        var urgency: Urgency
        var lane: Lane
        var continuation: CheckedContinuation<Bool, Never>
    }

    private let permits: Int
    private var used = 0
    private var inLane: [String: Int] = [:]
    /// How wide lanes are by now that widen.
    private var widths: [String: LaneWidth] = [:]
    /// Whether work waited for a lane alone when that was looked at last.
    private var isStarving = false
    private var widening: (task: Task<Void, Never>, due: ContinuousClock.Instant)?
    private var waiters: [Waiter] = []
    /// What waited for a server, and goes on as soon as there is a permit.
    private var returning: [CheckedContinuation<Void, Never>] = []
    private var away = 0
    private var nextNumber = 0

    init(permits: Int) { self.permits = max(1, permits) }

    /// Runs `body` when it is its turn.
    /// - Throws: `cancelled` when the task is cancelled while it waits; else what `body` throws.
    nonisolated func run<R: Sendable>(
        _ urgency: Urgency, in lane: Lane, _ body: () async throws(PluginError) -> R
    ) async throws(PluginError) -> R {
        guard await enter(urgency, lane) else {
            throw PluginError(.cancelled, "stopped before it was its turn")
        }
        let result: Result<R, PluginError>
        do throws(PluginError) { result = .success(try await body()) } catch { result = .failure(error) }
        await leave(lane)
        return try result.get()
    }

    /// Lets others use the permit of work under way as long as that waits for something that needs no core.
    ///
    /// Its lane stays taken, and no more than three for each permit wait so at once: each of them holds a worker.
    nonisolated func whileAway<R: Sendable>(
        _ body: () async throws(PluginError) -> R
    ) async throws(PluginError) -> R {
        let isAway = await goAway()
        let result: Result<R, PluginError>
        do throws(PluginError) { result = .success(try await body()) } catch { result = .failure(error) }
        if isAway { await comeBack() }
        return try result.get()
    }

    /// Says how long it takes to start a worker of a lane, which is how long work waits before it is widened.
    func learn(startTime: Duration, of lane: Lane) {
        guard lane.widens, startTime > .zero else { return }
        widths[lane.name, default: LaneWidth()].startTime = startTime
    }

    /// How many wait for their turn.
    var waitingCount: Int { waiters.count }

    /// How many are back from waiting for a server, and have no permit yet.
    var returningCount: Int { returning.count }

    private func enter(_ urgency: Urgency, _ lane: Lane) async -> Bool {
        if Task.isCancelled { return false }
        if waiters.isEmpty, fits(lane, urgency) {
            admit(lane)
            return true
        }
        nextNumber += 1
        let number = nextNumber
        return await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                if Task.isCancelled {
                    continuation.resume(returning: false)
                    return
                }
                waiters.append(Waiter(number: number, urgency: urgency, lane: lane, continuation: continuation))
                admitNext()
            }
        } onCancel: {
            Task { await self.abandon(number) }
        }
    }

    private func leave(_ lane: Lane) {
        used -= 1
        inLane[lane.name, default: 1] -= 1
        admitNext()
    }

    private func goAway() -> Bool {
        guard away < permits * 3 else { return false }
        away += 1
        used -= 1
        admitNext()
        return true
    }

    private func comeBack() async {
        if used < permits {
            used += 1
        } else {
            // Who hands over a permit counts it.
            await withCheckedContinuation { returning.append($0) }
        }
        away -= 1
    }

    private func abandon(_ number: Int) {
        guard let index = waiters.firstIndex(where: { $0.number == number }) else { return }
        waiters.remove(at: index).continuation.resume(returning: false)
    }

    /// Interactive work first, the newest of it before the older, since that is what somebody looks at now; then what is
    /// recent, and batch work, each in its order. Work whose lane is full is passed over.
    private func admitNext() {
        if waiters.isEmpty, returning.isEmpty, !isStarving { return }
        defer { watchWidths() }
        while used < permits, !returning.isEmpty {
            used += 1
            returning.removeFirst().resume()
        }
        while used < permits {
            guard let next = nextWaiter else { return }
            let waiter = waiters.remove(at: next)
            admit(waiter.lane)
            waiter.continuation.resume(returning: true)
        }
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

    private func fits(_ lane: Lane, _ urgency: Urgency) -> Bool {
        guard used < permits else { return false }
        let count = inLane[lane.name, default: 0]
        guard lane.limit < 1 || count < lane.limit else { return false }
        return !lane.widens || urgency.isAtLeast(.interactive) || count < widths[lane.name, default: LaneWidth()].places
    }

    private func admit(_ lane: Lane) {
        used += 1
        inLane[lane.name, default: 0] += 1
    }

    // MARK: Widening

    /// Counts the time in which work waits for a lane alone, beside a free permit.
    private func watchWidths() {
        if used >= permits, !isStarving { return }
        let starved = used < permits ? Set(waiters.lazy.map(\.lane).filter { self.isNarrow($0) }.map(\.name)) : []
        guard isStarving || !starved.isEmpty else { return }
        isStarving = !starved.isEmpty
        let now = ContinuousClock.now
        for name in Set(widths.keys).union(starved) {
            widths[name, default: LaneWidth()].count(isStarved: starved.contains(name), now)
        }
        guard let wait = starved.compactMap({ widths[$0]?.missing }).min() else { return }
        if let widening, widening.due <= now + wait { return }
        widening?.task.cancel()
        let task = Task { [weak self] in
            guard (try? await Task.sleep(for: wait)) != nil else { return }
            await self?.widen()
        }
        widening = (task, now + wait)
    }

    private func isNarrow(_ lane: Lane) -> Bool {
        lane.widens && (lane.limit < 1 || inLane[lane.name, default: 0] < lane.limit)
    }

    /// Widens the lanes that work has waited for long enough.
    private func widen() {
        widening = nil
        let now = ContinuousClock.now
        for name in widths.keys { widths[name]?.widenIfDue(now) }
        admitNext()
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

import Timing

/// Who works, who waits, and whose turn it is: what a ``Scheduler`` keeps under its lock.
struct SchedulerState {
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
    private var widths: [String: LaneWidth] = [:]
    /// Whether work waited for a lane alone when that was looked at last.
    private var isStarving = false
    /// What widens lanes, and when.
    var widening: Task<Void, Never>?
    private var wideningDue: Moment?
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
        let now = Moment.now
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

    /// Says how long it takes to start a worker of a lane.
    mutating func learn(startTime: Duration, of lane: Scheduler.Lane) {
        widths[lane.name, default: LaneWidth()].startTime = startTime
    }

    /// Widens the lanes that work has waited for long enough.
    mutating func widen() {
        wideningDue = nil
        let now = Moment.now
        for name in widths.keys { widths[name]?.widenIfDue(now) }
    }
}

/// How many places a lane has, and how long work has waited for another one.
private struct LaneWidth {
    var places = 1
    /// Until the first worker has told, a guess.
    var startTime = Duration.milliseconds(40)
    private var waited = Duration.zero
    private var since: Moment?

    /// What is missing until another place pays. A start is counted twice, since it costs memory too.
    var missing: Duration { max(.zero, startTime * 2 - waited) }

    /// Notes whether work waits from now on.
    mutating func count(isStarved: Bool, _ now: Moment) {
        if let since { waited += now - since }
        since = isStarved ? now : nil
    }

    mutating func widenIfDue(_ now: Moment) {
        count(isStarved: since != nil, now)
        guard since != nil, missing == .zero else { return }
        places *= 2
        waited = .zero
    }
}

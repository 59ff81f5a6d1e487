/// How soon something may be done again, for things that ask to be done again and again.
///
/// After the first time there is a short pause. Whoever comes again soon after it has to wait twice as long the next
/// time, up to a limit; whoever was quiet for a while begins anew.
struct BackOff<Key: Hashable> {
    typealias Instant = ContinuousClock.Instant

    private struct Entry {
        var last: Instant
        var pause: Duration
    }

    /// The first pause.
    let shortest: Duration
    /// The longest pause.
    let longest: Duration
    /// How many keys are remembered.
    let capacity: Int
    private var entries: [Key: Entry] = [:]

    init(shortest: Duration, longest: Duration, capacity: Int = 4096) {
        self.shortest = shortest
        self.longest = longest
        self.capacity = max(2, capacity)
    }

    /// How many keys are remembered now.
    var count: Int { entries.count }

    /// When it may be done; in the past for what was not done lately.
    func earliest(_ key: Key) -> Instant? { entries[key].map { $0.last + $0.pause } }

    /// It was done.
    mutating func done(_ key: Key, at now: Instant) {
        var pause = shortest
        if let entry = entries[key], !isOver(entry, now) { pause = min(longest, entry.pause * 2) }
        if entries[key] == nil, entries.count >= capacity { makeRoom(now) }
        entries[key] = Entry(last: now, pause: pause)
    }

    /// Whether so much time passed that what was before counts no more.
    private func isOver(_ entry: Entry, _ now: Instant) -> Bool { now - entry.last > entry.pause * 4 }

    private mutating func makeRoom(_ now: Instant) {
        entries = entries.filter { !isOver($0.value, now) }
        guard entries.count >= capacity else { return }
        // Those with the longest pauses are why this is remembered at all.
        let kept = entries.sorted { $0.value.pause > $1.value.pause }.prefix(capacity / 2)
        entries = Dictionary(kept.map { ($0.key, $0.value) }) { first, _ in first }
    }
}

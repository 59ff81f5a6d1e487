import VitrineKit

/// Items that wait to be worked on while sources are watched: those that changed a moment ago before all that were found
/// by the first look, and the newest of each first.
///
/// An item is in here once, as it was seen last, and is not worked on twice at the same time. What does not fit is left
/// out, and said; the catalog knows it.
actor WatchQueue {
    /// An item, and who brought it.
    struct Work: Sendable {
        var item: Item
        /// Whether it changed a moment ago.
        var isRecent: Bool
        /// The number of its source in the run.
        var source: Int
        /// Whether it is rendered even if there is a preview that seems to be valid.
        var force = false
    }

    private struct Place {
        var uri: String
        var modified: Timestamp
    }

    private let capacity: Int
    /// How many items of each kind are in hand at most.
    private let window: Int
    private var waiting: [String: Work] = [:]
    private var recent = Heap<Place> { $0.modified > $1.modified }
    private var other = Heap<Place> { $0.modified > $1.modified }
    /// Those that are worked on.
    private var inHand: [String: Work] = [:]
    /// Those that changed while they were worked on.
    private var again: [String: Work] = [:]
    /// How many items of each source wait or are worked on.
    private var counts: [Int: Int] = [:]
    private var overflowed: Set<Int> = []
    private var isFinished = false
    private var consumer: CheckedContinuation<Void, Never>?
    private let onIdle: @Sendable (Set<Int>) async -> Void

    /// - Parameters:
    ///   - window: how many items of each kind are in hand at most.
    ///   - capacity: how many items wait at most.
    ///   - onIdle: called when all work is done, with the sources of which something did not fit.
    init(window: Int, capacity: Int = 1 << 16, onIdle: @escaping @Sendable (Set<Int>) async -> Void) {
        self.window = window
        self.capacity = capacity
        self.onIdle = onIdle
    }

    /// Whether nothing waits and nothing is worked on.
    var isIdle: Bool { waiting.isEmpty && inHand.isEmpty && again.isEmpty }

    /// Whether something of a source waits or is worked on.
    func holds(_ source: Int) -> Bool { counts[source] != nil }

    /// Adds an item, or puts it in the place of what was known of it.
    /// - Returns: whether it is new here and has its place.
    @discardableResult
    func push(_ work: Work) -> Bool {
        let uri = work.item.uri
        if let current = inHand[uri] {
            again[uri] = current.item.entry.differs(from: work.item.entry) ? work : nil
            return false
        }
        var work = work
        if let known = waiting[uri] {
            // What is recent stays so, and has its place already.
            let keepsPlace = known.isRecent == work.isRecent || known.isRecent
            work.isRecent = known.isRecent || work.isRecent
            waiting[uri] = work
            if known.source != work.source {
                count(known.source, -1)
                count(work.source, 1)
            }
            if keepsPlace { return false }
        } else {
            guard waiting.count < capacity else {
                overflowed.insert(work.source)
                return false
            }
            waiting[uri] = work
            count(work.source, 1)
        }
        let place = Place(uri: uri, modified: work.item.entry.modified ?? Timestamp(seconds: .min))
        if work.isRecent { recent.push(place) } else { other.push(place) }
        compact()
        wake()
        return true
    }

    /// An item is gone: it is not worked on any more.
    func drop(_ uri: String) {
        if let work = waiting.removeValue(forKey: uri) { count(work.source, -1) }
        again[uri] = nil
    }

    /// The next item to be worked on; waits for one. One caller at a time.
    /// - Returns: `nil` when there will be none.
    func next() async -> Work? {
        while !isFinished {
            if let work = take(&recent, isRecent: true) ?? take(&other, isRecent: false) { return work }
            await withCheckedContinuation { consumer = $0 }
        }
        return nil
    }

    /// Work on an item came to an end.
    func done(_ work: Work) async {
        let uri = work.item.uri
        if let known = inHand.removeValue(forKey: uri) { count(known.source, -1) }
        if let next = again.removeValue(forKey: uri) { push(next) }
        wake()
        guard isIdle else { return }
        let sources = overflowed
        overflowed = []
        await onIdle(sources)
    }

    /// Nothing more is wanted.
    func finish() {
        isFinished = true
        for work in waiting.values { count(work.source, -1) }
        waiting = [:]
        wake()
    }

    private func take(_ places: inout Heap<Place>, isRecent: Bool) -> Work? {
        guard inHand.values.count(where: { $0.isRecent == isRecent }) < window else { return nil }
        while let place = places.pop() {
            // What has become recent has another place too.
            guard let work = waiting[place.uri], work.isRecent == isRecent else { continue }
            waiting[place.uri] = nil
            inHand[place.uri] = work
            return work
        }
        return nil
    }

    /// Takes places out of the heaps whose items have gone or have another place: in a storm of changes these would be
    /// more and more.
    private func compact() {
        guard recent.count + other.count > 2 * waiting.count + Self.slack else { return }
        var seen: Set<String> = []
        let waiting = waiting
        recent.keep { waiting[$0.uri]?.isRecent == true && seen.insert($0.uri).inserted }
        other.keep { waiting[$0.uri]?.isRecent == false && seen.insert($0.uri).inserted }
    }

    /// How many places may be left over before they are looked through.
    private static let slack = 1024

    /// How many places the heaps have.
    var placeCount: Int { recent.count + other.count }

    private func count(_ source: Int, _ difference: Int) {
        let count = (counts[source] ?? 0) + difference
        counts[source] = count > 0 ? count : nil
    }

    private func wake() {
        consumer?.resume()
        consumer = nil
    }
}

import VitrineKit

/// Decides when an item that appeared or changed is worked on: not while somebody still writes it, and not every second
/// when somebody writes it all day.
///
/// A file whose time is older than ``freshness`` is taken at once. A younger one is taken when it is the same as it was
/// ``quiet`` ago. One that was rendered is rendered again after a pause that grows as long as it goes on changing.
struct Settling {
    typealias Instant = ContinuousClock.Instant

    /// What is to be done with an item.
    enum Verdict: Equatable {
        /// It is worked on.
        case take
        /// It is looked at again, not before this moment.
        case wait(until: Instant)
        /// It was worked on a moment ago, as it is.
        case pass
    }

    /// What tells whether a file was written to.
    private struct Mark: Equatable {
        var size: Int64?
        var modified: Timestamp?
        var identifier: UInt64?
        var etag: String?

        init(_ entry: Entry) {
            (size, modified, identifier, etag) = (entry.size, entry.modified, entry.identifier, entry.etag)
        }
    }

    private var waiting: [ItemPath: (mark: Mark, since: Instant)] = [:]
    /// What was worked on, as it was then.
    private var ended: [ItemPath: (mark: Mark, at: Instant)] = [:]
    private var renderings = BackOff<ItemPath>(shortest: .seconds(1), longest: .seconds(900))

    /// A file that was written to less than so many seconds ago may be written to right now.
    static let freshness: Int64 = 2
    /// How long it has to stay the same then.
    static let quiet = Duration.milliseconds(500)
    /// How many files are waited for; others are taken at once.
    static let capacity = 1 << 16

    /// How many files are waited for now.
    var waitingCount: Int { waiting.count }

    /// Looks at an item.
    /// - Parameters:
    ///   - path: where it lies.
    ///   - entry: what its storage says of it.
    ///   - now: on the clock that never goes back.
    ///   - time: seconds since 1970, on the clock that files are stamped by.
    mutating func judge(_ path: ItemPath, _ entry: Entry, now: Instant, time: Int64) -> Verdict {
        let mark = Mark(entry)
        if let (known, at) = ended[path], known == mark, now - at < Self.memory {
            waiting[path] = nil
            return .pass
        }
        if let next = renderings.earliest(path), next > now { return .wait(until: next) }
        guard let modified = entry.modified, modified.seconds > time - Self.freshness else {
            waiting[path] = nil
            return .take
        }
        if let (known, since) = waiting[path], known == mark {
            guard now - since >= Self.quiet else { return .wait(until: since + Self.quiet) }
            waiting[path] = nil
            return .take
        }
        guard waiting.count < Self.capacity || waiting[path] != nil else { return .take }
        waiting[path] = (mark, now)
        return .wait(until: now + Self.quiet)
    }

    /// Whether an item was worked on lately, and not as it is now: a preview from the same second cannot be told from one of
    /// now. What is the same comes again when the catalog could not be told of it, and has its preview.
    func hasRenewed(_ path: ItemPath, _ entry: Entry) -> Bool {
        renderings.earliest(path) != nil && ended[path]?.mark != Mark(entry)
    }

    /// Work on an item came to an end.
    /// - Parameters:
    ///   - path: where it lies.
    ///   - entry: what it was.
    ///   - isFinal: whether the end was one that stays.
    /// - Returns: when it may be worked on again.
    @discardableResult
    mutating func worked(on path: ItemPath, _ entry: Entry, isFinal: Bool, at now: Instant) -> Instant {
        renderings.done(path, at: now)
        // A look while it was worked on may have begun to wait once more, for what is the same.
        if waiting[path]?.mark == Mark(entry) { waiting[path] = nil }
        if ended.count >= Self.endLimit { ended = ended.filter { now - $0.value.at < Self.memory } }
        ended[path] = isFinal && ended.count < Self.endLimit ? (Mark(entry), now) : nil
        return renderings.earliest(path) ?? now
    }

    /// An item is gone.
    mutating func forget(_ path: ItemPath) {
        waiting[path] = nil
        ended[path] = nil
    }

    /// Forgets what was waited for so long that it must be gone.
    mutating func sweep(now: Instant) { waiting = waiting.filter { now - $0.value.since < .seconds(60) } }

    /// The end of work is written down a little later, and may not be known to a look until then.
    private static let memory = Duration.seconds(10)
    private static let endLimit = 1 << 14
}

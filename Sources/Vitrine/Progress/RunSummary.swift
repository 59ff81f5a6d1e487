import Catalog
public import RangeReading
public import VitrineKit

/// What a run did.
public struct RunSummary: Sendable {
    /// Counts for one kind of items.
    public struct Counts: Sendable, Hashable {
        /// Items that previews were made of.
        public var made = 0
        /// Items whose previews were all valid already.
        public var valid = 0
        /// Items without a preview, for a reason.
        public var failed = 0
        /// Items that previews would be made of (dry run).
        public var planned = 0
        /// Time spent on them by workers.
        public var time: Duration = .zero
    }

    /// One item that has no preview.
    public struct Failure: Sendable {
        /// Its URI.
        public var uri: String
        /// The reason.
        public var error: PluginError
        /// Whether it was found out in an earlier run, and not tried again.
        public var remembered: Bool
    }

    /// The sources of the run.
    public var sources: [String]
    /// All items together.
    public var total = Counts()
    /// By what people call the items, such as "PDF documents".
    public var byKind: [String: Counts] = [:]
    /// Items that failed only because the cache could not keep what was made of them; the failure is the run's.
    public var unkept = 0
    /// Items that failed in an earlier run and were not tried again; they are among the failed.
    public var remembered = 0
    /// What no preview is made of.
    public var skipped = 0
    /// Bytes of the items that previews were made of.
    public var bytes: Int64 = 0
    /// What was asked of storages that are not on this machine, for the content of items; listings are not in it.
    public var traffic = ItemTraffic()
    /// Seconds that the run took.
    public var seconds = 0.0
    /// Whether somebody stopped it before its end.
    public var wasInterrupted = false
    /// Why it ended before all was tried: the disk of the cache is full, or nothing can be written to it. Items that are not
    /// counted were not done.
    public var stopped: PluginError?
    /// Items that were found; more than were dealt with when the run was interrupted.
    public var found = 0
    /// Sources that could not be opened at all.
    public var failedSources: [Failure] = []
    /// The process whose run was joined: it did the work, and this run nothing.
    public var joined: Int32?
    /// What differs from what was known before; `nil` when there is no catalog.
    public var changes: IndexSummary?
    /// Whether the catalog is damaged, so that a new one is needed.
    var catalogIsDamaged = false
    /// Which of the notices says that there is no room for the catalog.
    var noticeOfFullDisk: String?
    /// Whether the run with the catalog was not whole, because it could not be read or written half-way.
    public internal(set) var isPart = false
    /// Whether the catalog refused something, after which nothing more is asked of it.
    var hasLostCatalog = false
    /// What became of messages, of each source whose settings name senders.
    public var filing: [FilingSummary] = []
    /// What the user should know besides, in whole sentences.
    public var notices: [String] = []
    /// Items that were to be tried again and are no longer there, so that their failures were forgotten.
    public var gone: [String] = []
    /// The first failures, at most ``failureLimit``.
    public var failures: [Failure] = []

    /// Of what was named itself the first that no preview is made of, at most ``failureLimit``.
    public var skippedByName: [Failure] = []
    /// What was named.
    private let named: Set<String>

    /// How many failures are kept.
    public static let failureLimit = 1000

    init(sources: [String]) {
        self.sources = sources
        named = Set(sources)
    }

    /// Counts items that needed no work.
    mutating func count(_ known: KnownItems) {
        skipped += known.skipped
        for tally in known.tallies {
            var counts = Counts()
            switch tally.state {
            case .made: counts.valid = tally.count
            case .failed:
                counts.failed = tally.count
                remembered += tally.count
            case .skipped, .pending:
                skipped += tally.count
                continue
            }
            total.add(counts)
            byKind[tally.title ?? "Other files", default: Counts()].add(counts)
        }
        for (uri, error) in known.failures { keep(Failure(uri: uri, error: error, remembered: true)) }
    }

    /// Keeps a failure, if there is room. One that is new goes before those that were known.
    private mutating func keep(_ failure: Failure) {
        if failures.count >= Self.failureLimit {
            guard !failure.remembered, let known = failures.lastIndex(where: \.remembered) else { return }
            failures.remove(at: known)
        }
        failures.append(failure)
    }

    /// Takes in what an earlier part of the same run did: what that one made is found valid by this one,
    /// and what failed there for the first time is new still, though it is not tried twice. That holds for failures that are kept.
    mutating func follow(_ first: RunSummary) {
        total.follow(first.total)
        for (kind, counts) in first.byKind { byKind[kind]?.follow(counts) }
        let new = Set(first.failures.filter { !$0.remembered }.map(\.uri))
        for index in failures.indices where failures[index].remembered && new.contains(failures[index].uri) {
            failures[index].remembered = false
            remembered -= 1
        }
        bytes += first.bytes
        traffic += first.traffic
        seconds += first.seconds
        notices = first.notices + notices.filter { !first.notices.contains($0) }
        noticeOfFullDisk = noticeOfFullDisk ?? first.noticeOfFullDisk
    }

    /// Leaves it at one sentence about a full disk.
    mutating func sayOnceThatTheDiskIsFull() {
        if stopped != nil { notices.removeAll { $0 == noticeOfFullDisk } }
    }

    mutating func count(_ report: ItemReport) {
        var counts = Counts()
        if let traffic = report.traffic { self.traffic += traffic }
        switch report.outcome {
        case .made:
            counts.made = 1
            bytes += report.bytes ?? 0
        case .valid: counts.valid = 1
        case .planned: counts.planned = 1
        case .skipped(let error):
            skipped += 1
            if named.contains(report.uri), skippedByName.count < Self.failureLimit {
                skippedByName.append(Failure(uri: report.uri, error: error, remembered: false))
            }
            return
        case .failed(let error, let remembered):
            counts.failed = 1
            if report.isUnkept { unkept += 1 }
            if remembered { self.remembered += 1 }
            keep(Failure(uri: report.uri, error: error, remembered: remembered))
        }
        counts.time = report.times.start + report.times.render + report.times.encode
        total.add(counts)
        byKind[report.renderer?.title ?? "Other files", default: Counts()].add(counts)
    }
}

extension RunSummary.Counts {
    fileprivate mutating func follow(_ first: Self) {
        let found = min(first.made, valid)
        made += found
        valid -= found
        time += first.time
    }

    mutating func add(_ other: Self) {
        made += other.made
        valid += other.valid
        failed += other.failed
        planned += other.planned
        time += other.time
    }
}

import Catalog
import Glibc
import Synchronization
import Timing
import VitrineKit

/// Keeps the counts of one run and sends its progress, not more often than eyes can follow.
actor RunLedger: TickingLedger {
    nonisolated let sources: [String]
    private let hub: ProgressHub
    private let clock = ContinuousClock()
    private let began: ContinuousClock.Instant
    private var summary: RunSummary
    private var progress: RunProgress
    private var locks: [RunLock] = []
    /// The catalog's sources that were walked.
    private(set) var looked: Set<SourceID> = []
    var ticking = Ticking()
    private var meter: RateMeter
    /// Items that were found and are not counted in the progress yet.
    private let freshlyFound = Atomic(0)
    /// The item whose work began last, and whether that was not told yet: a run begins more of them than anybody can read.
    private let latest = Mutex((uri: "", isFresh: false))
    /// What ended and is not counted yet.
    private let endings = Mutex<[ItemReport]>([])
    /// Whether it ends when nothing can be kept any more; a watch waits for room instead.
    private let endsWithCache: Bool
    /// Why nothing more is begun.
    private let stop = Mutex<PluginError?>(nil)

    /// - Parameter endsWithCache: whether nothing more is begun once the cache takes nothing any more; else what it does not
    ///   take has failed. Default: it has.
    init(sources: [String], hub: ProgressHub, endsWithCache: Bool = false) {
        self.sources = sources
        self.endsWithCache = endsWithCache
        self.hub = hub
        summary = RunSummary(sources: sources)
        progress = RunProgress(sources: sources)
        began = clock.now
        // Early files say little about later ones.
        meter = RateMeter(since: began, over: .seconds(10))
    }

    /// - Parameter isAgain: whether those who listen were told already. Default: they were not.
    func start(isAgain: Bool = false) {
        if !isAgain { hub.send(.started(sources: sources)) }
    }

    /// Shows the progress of another run, that this one waits for.
    func follow(_ holder: RunLock.Holder) {
        var progress = progress
        (progress.done, progress.found, progress.foundAll) = (holder.done, holder.found, holder.foundAll)
        hub.send(.advanced(progress))
    }

    /// From now on others are told how far the run has come.
    func hold(_ locks: [RunLock]) { self.locks = locks }

    /// Another run did the work.
    func joined(_ process: Int32) { summary.joined = process }

    /// An item was found. Only the first one since the last event changes threads for it.
    nonisolated func found() async {
        if freshlyFound.wrappingAdd(1, ordering: .relaxed).oldValue == 0 { await news() }
    }

    private func countFound() { progress.found += freshlyFound.exchange(0, ordering: .relaxed) }

    func foundAll() {
        progress.foundAll = true
        news()
    }

    nonisolated func began(_ uri: String) async {
        let isFirst = latest.withLock { latest in
            defer { latest = (uri, true) }
            return !latest.isFresh
        }
        if isFirst { await news() }
    }

    /// Takes over what ``began(_:)`` noted since the last time.
    private func takeLatest() {
        latest.withLock { latest in
            if latest.isFresh { progress.current = latest.uri }
            latest.isFresh = false
        }
    }

    /// Work on an item ended. Only the first one since the last event changes threads for it.
    nonisolated func ended(_ report: ItemReport) async {
        if case .failed(let error, _) = report.outcome {
            if error.code == .cancelled { return }
            // Nothing is wrong with the item: it is done when it can be kept again.
            if report.metClosedCache, endsWithCache { return stop(for: error) }
        }
        let isFirst = endings.withLock { endings in
            endings.append(report)
            return endings.count == 1
        }
        if isFirst { await news() }
    }

    /// Begins nothing more. The first reason counts.
    nonisolated func stop(for error: PluginError) { stop.withLock { $0 = $0 ?? error } }

    /// Whether nothing more is to be begun, since nothing can be stored any more.
    nonisolated var isStopped: Bool { stop.withLock { $0 != nil } }

    private func countEnded() {
        let ended = endings.withLock { endings in
            defer { endings = [] }
            return endings
        }
        for report in ended { summary.count(report) }
        progress.done += ended.count
        progress.bytes = summary.bytes
    }

    /// Something that was met on the way and is no item: found and dealt with at once.
    func noted(_ report: ItemReport) {
        summary.count(report)
        progress.found += 1
        progress.done += 1
        news()
    }

    /// Items that needed no work: found and dealt with at once.
    func knew(_ known: KnownItems) {
        summary.count(known)
        progress.found += known.count + known.skipped
        progress.done += known.count + known.skipped
        news()
    }

    /// An item whose previews came along from another place.
    func kept(_ item: Item, title: String?) {
        summary.count(
            KnownItems(
                folder: item.uri, source: item.storage.source.text,
                tallies: [Tally(title: title, state: .made, count: 1)], skipped: 0,
                failures: []))
        progress.done += 1
        news()
    }

    /// Something that the user should know besides.
    func notice(_ sentence: String) {
        if !summary.notices.contains(sentence) { summary.notices.append(sentence) }
    }

    /// A source that could not be opened at all.
    func fail(source: String, _ error: PluginError) {
        if error.code == .cancelled { return }
        summary.failedSources.append(RunSummary.Failure(uri: source, error: error, remembered: false))
    }

    /// What a walk found out.
    /// - Parameter source: the catalog's source that was walked.
    func found(_ changes: IndexSummary, in source: SourceID) {
        looked.insert(source)
        var sum = summary.changes ?? IndexSummary()
        sum.add(changes)
        summary.changes = sum
    }

    /// How many items are gone from all that was walked: what one source lost another one may have, and what comes back may
    /// have been lost long ago.
    func found(removed count: Int) { summary.changes?.removed = count }

    /// Whether the catalog refused something.
    var hasLostCatalog: Bool { summary.hasLostCatalog }

    /// What the catalog refused.
    /// - Parameter isWhole: whether all items are dealt with nevertheless. Default: they are.
    func refused(_ error: PluginError, isWhole: Bool = true) {
        if error.code == .corrupt { summary.catalogIsDamaged = true }
        if !isWhole { summary.isPart = true }
        summary.hasLostCatalog = true
        let sentence = "the catalog is not kept up to date: \(error.message)"
        if error.code == .noSpace { summary.noticeOfFullDisk = sentence }
        notice(sentence)
    }

    func finish(interrupted: Bool) -> RunSummary {
        stopTicking()
        countFound()
        countEnded()
        takeLatest()
        locks = []
        summary.wasInterrupted = interrupted
        // One walk alone cannot tell whether what came back was counted.
        if let removed = summary.changes?.removed { summary.changes?.removed = max(0, removed) }
        summary.stopped = stop.withLock { $0 }
        summary.found = progress.found
        summary.seconds = (clock.now - began).inSeconds
        hub.send(.advanced(progress))
        return summary
    }

    func tell() {
        countFound()
        countEnded()
        takeLatest()
        meter.take(Int64(progress.done), at: clock.now)
        progress.rate = meter.rate
        let left = progress.found - progress.done
        progress.secondsLeft = progress.foundAll && progress.rate > 0 ? Double(left) / progress.rate : nil
        hub.send(.advanced(progress))
        for lock in locks {
            lock.tell(
                RunLock.Holder(
                    process: getpid(), done: progress.done, found: progress.found, foundAll: progress.foundAll))
        }
    }
}

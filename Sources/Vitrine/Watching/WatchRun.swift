import Catalog
import PreviewCache
import VitrineKit

/// Watches sources until it is cancelled: a task for each source that looks, and one queue of items to be worked on.
final class WatchRun: Sendable {
    let pipeline: PreviewPipeline
    let options: WatchOptions
    let ledger: RunLedger
    /// What is gone from its sources, and may have moved from one to another.
    let departures = Departures()
    private let sources: [WatchedSource]
    /// Whether it goes on with what another one began, whose catalog was damaged; to those who listen both are one.
    private let isAgain: Bool

    init(_ pipeline: PreviewPipeline, _ sources: [WatchedSource], _ options: WatchOptions, isAgain: Bool = false) {
        self.isAgain = isAgain
        self.pipeline = pipeline
        self.options = options
        var seen: Set<String> = []
        self.sources = sources.filter { seen.insert($0.uri.text).inserted }
        ledger = RunLedger(sources: self.sources.map(\.uri.text), hub: pipeline.hub)
    }

    /// Runs until the task is cancelled, or nothing is left to be watched.
    func run() async -> RunSummary {
        await ledger.start(isAgain: isAgain)
        if let index = await index(), let book = index.book {
            await watch(index, book)
            await book.finish()
            // If that fails, these previews are missed when they are looked for.
            await withTaskExecutorPreference(index.thread) {
                try? pipeline.lost.tell(index.catalog)
                if let error = await book.failure { await ledger.refused(error) }
                witness(index)
            }
        }
        return await ledger.finish(interrupted: Task.isCancelled)
    }

    private func watch(_ index: IndexedRun, _ book: RunBook) async {
        let state = WatchProgress(sources: sources.map(\.uri.text), hub: pipeline.hub)
        let queue = WatchQueue(window: pipeline.configuration.jobs + 4) { [weak state] overfull in
            await book.finish()
            await state?.rested(overfull, isWritten: await book.failure == nil)
        }
        let locks = WatchLocks(catalog: index.catalog.path, ledger: ledger, hub: pipeline.hub)
        let all = Set(sources.map(\.uri.text))
        let watches = sources.enumerated().map { number, source in
            SourceWatch(
                source, number: number, others: all.subtracting([source.uri.text]), index, book, queue, state,
                locks, self)
        }
        await state.follow(watches, queue)
        pipeline.keeper.beginRun()
        // What cannot be deleted now is deleted by a later run.
        _ = try? await index.thread.run { [pipeline] () throws(PluginError) in
            try VanishedItems(index.catalog, pipeline.cache).remove()
        }
        await withTaskGroup(of: Void.self) { group in
            group.addTask { _ = self.pipeline.cache.removeAbandonedFiles() }
            group.addTask { await self.work(queue, watches, book) }
            group.addTask {
                await withTaskGroup(of: Bool.self) { looks in
                    for watch in watches {
                        looks.addTask(executorPreference: index.thread) {
                            let isLost = await watch.run()
                            await watch.tellAllDepartures()
                            return isLost
                        }
                    }
                    // All of them begin anew with another catalog.
                    for await isLost in looks where isLost { looks.cancelAll() }
                }
                await queue.finish()
            }
        }
    }

    /// Takes items from the queue until there will be none.
    private func work(_ queue: WatchQueue, _ watches: [SourceWatch], _ book: RunBook) async {
        await withDiscardingTaskGroup { items in
            while let work = await queue.next() {
                items.addTask {
                    let item = work.item
                    await self.ledger.began(item.uri)
                    var order = RenderOrder(
                        sizes: self.options.sizes, priority: work.isRecent ? .recent : .batch, force: work.force)
                    // What changes is found by its words, as after a run.
                    order.wantsText = true
                    let report = await self.pipeline.shared(item, order)
                    await book.add(report, item)
                    await self.ledger.ended(report)
                    await watches[work.source].worked(on: item, report)
                    await queue.done(work)
                    await watches[work.source].rested()
                }
            }
        }
    }

    /// What the run has to do with the catalog, without which nothing can be watched. Waits until there is room for it, and
    /// until others leave time to write.
    private func index() async -> IndexedRun? {
        var isTold = false
        while true {
            do throws(PluginError) {
                return try await pipeline.desk.thread.run { () throws(PluginError) in try self.opened() }
            } catch {
                guard RunBook.passing.contains(error.code) else {
                    await ledger.refused(error)
                    for source in sources { await ledger.fail(source: source.uri.text, error) }
                    return nil
                }
                if !isTold { pipeline.tell("\(error.message); \(SourceWatch.hope(after: error))", sources) }
                isTold = true
                do { try await Task.sleep(for: Self.roomPause) } catch { return nil }
            }
        }
    }

    /// Between two attempts to open a catalog that cannot be written to.
    private static let roomPause = Duration.seconds(10)

    private func opened() throws(PluginError) -> IndexedRun {
        guard let catalog = try pipeline.desk.catalog() else {
            throw PluginError(.invalidArgument, "sources cannot be watched without a catalog")
        }
        // Now: the watch may go on for weeks.
        if pipeline.desk.takeNews() { pipeline.tell(CatalogDesk.news, sources) }
        return try IndexedRun(catalog, options.sizes, pipeline)
    }

    /// What was made here is no news to the next run.
    private func witness(_ index: IndexedRun) {
        // If that fails, the next run looks once more.
        _ = try? CacheWitness(cache: pipeline.cache, catalog: index.catalog).check(options.sizes)
    }
}

/// Knows when all that was there has been worked on, and says so once.
actor WatchProgress {
    private let hub: ProgressHub
    private let sources: [String]
    private var watches: [SourceWatch] = []
    private var queue: WatchQueue?
    private var looked: Set<Int> = []
    private var wasSaid = false

    init(sources: [String], hub: ProgressHub) {
        self.sources = sources
        self.hub = hub
    }

    func follow(_ watches: [SourceWatch], _ queue: WatchQueue) {
        self.watches = watches
        self.queue = queue
    }

    /// A source was looked at for the first time, or is not there.
    func looked(at source: Int) async {
        guard looked.insert(source).inserted else { return }
        await sayIfReady()
    }

    /// Whether every source has been looked at.
    var hasLookedAtAll: Bool { looked.count == watches.count }

    /// All work is done, but for what did not fit.
    /// - Parameter isWritten: whether the catalog could be told; if not, all sources are looked at again.
    func rested(_ overfull: Set<Int>, isWritten: Bool) async {
        let overfull = isWritten ? overfull : Set(watches.indices)
        for number in overfull { await watches[number].lookAgain() }
        if overfull.isEmpty { await sayIfReady() }
    }

    /// Says that all that was there has been worked on, once that is so.
    func sayIfReady() async {
        guard !wasSaid, looked.count == watches.count, let queue, await queue.isIdle else { return }
        for watch in watches where await watch.isWaiting { return }
        guard !wasSaid else { return }
        wasSaid = true
        var state = WatchState(sources: sources)
        for watch in watches { await watch.count(in: &state) }
        hub.send(.watching(state))
    }
}

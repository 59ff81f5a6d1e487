import Catalog
import VitrineKit
import Workers

/// What a run takes up, one after the other.
enum RunStep: Sendable {
    /// What a walk met.
    case met(WalkStep)
    /// What a list names; nobody has looked at it yet.
    case named(SourceURI)
}

// What becomes of each step of the walk: items go their way, and everybody who counts is told.
extension PrebuildRun {
    /// Works on what was found, on some items at once.
    func takeAll(_ index: IndexedRun?) async {
        let threads = BlockingThread.borrow(window)
        await withTaskGroup(of: Void.self) { takers in
            for thread in threads {
                takers.addTask(executorPreference: thread) { await self.takeSteps(on: thread, index) }
            }
            // Where there are no threads to be had, Swift's own will do.
            for _ in threads.count..<window { takers.addTask { await self.takeSteps(on: nil, index) } }
            // What is under way could not be stored either.
            for await _ in takers where ledger.isStopped { takers.cancelAll() }
        }
        BlockingThread.giveBack(threads)
    }

    /// The most events that wait for a listener who wants all of them.
    private static let mostUnread = 1 << 14

    /// Takes one step after the other, until there are no more, the task is cancelled or the run is stopped.
    private func takeSteps(on thread: BlockingThread?, _ index: IndexedRun?) async {
        while !Task.isCancelled, !ledger.isStopped, let step = await queue.next() {
            await take(step, on: thread, index)
            await pipeline.hub.room(below: Self.mostUnread)
        }
        // A walk that is ahead waits no longer.
        for case .met(let step) in queue.finish(discarding: true) { leftMoves.add(step) }
    }

    /// Has previews, notes and places in collections follow the items that nobody dealt with: it takes little, and the next run
    /// would not do it.
    func takeLeftMoves(_ index: IndexedRun) async {
        for (item, old) in leftMoves.take() {
            tellDeparture(at: item.uri)
            _ = await pipeline.moved(old, to: item, index)
        }
    }

    private func take(_ step: RunStep, on thread: BlockingThread?, _ index: IndexedRun?) async {
        switch step {
        case .met(let step): await take(step, on: thread, index)
        case .named(let uri): await take(named: uri, on: thread)
        }
    }

    private func take(_ step: WalkStep, on thread: BlockingThread?, _ index: IndexedRun?) async {
        switch step {
        case .item(let item):
            tellDeparture(at: item.uri)
            await work(on: item, thread, index)
        case .moved(let item, let old):
            guard let index else { return }
            tellDeparture(at: item.uri)
            if await pipeline.moved(old, to: item, index), old.isSettled {
                // Its previews were there before, at another place.
                let report = pipeline.reportOfMoved(item, order)
                await index.book?.add(report, item)
                pipeline.hub.send(.item(report))
                await ledger.kept(item, title: old.title)
            } else if !onlyLooks {
                await work(on: item, thread, index)
            }
        case .known(let items): await know(items)
        case .skipped(let uri, let source, let error):
            await note(ItemReport(uri: uri, source: source, .skipped(error)))
        case .failed(let uri, let source, let error) where uri == source:
            await ledger.fail(source: source, error)
        case .failed(let uri, let source, let error):
            await note(ItemReport(uri: uri, source: source, .failed(error, remembered: false)))
        }
    }

    /// Tells that something is gone before what is in its place now.
    private func tellDeparture(at uri: String) {
        guard let source = pipeline.departures.appeared(at: uri) else { return }
        pipeline.hub.send(.removed(uri: uri, source: source))
    }

    /// Tells what is gone and has turned up nowhere in the run.
    func tellDepartures(_ index: IndexedRun) async {
        for source in sources.map(\.uri) {
            let departures = pipeline.departures.take(from: source.text, until: nil)
            if departures.isEmpty { continue }
            // What came back as it was is in no step.
            let gone = try? await index.thread.run { () throws(PluginError) in
                guard let place = try index.catalog.place(of: source) else { return departures }
                var gone: [String] = []
                for uri in departures {
                    let path = (try? SourceURI(uri))?.path(below: source)?.placed(below: place.path)
                    if let path, try index.catalog.holds(path, in: place.source) { continue }
                    gone.append(uri)
                }
                return gone
            }
            for uri in gone ?? departures { pipeline.hub.send(.removed(uri: uri, source: source.text)) }
        }
    }

    func work(on item: Item, _ thread: BlockingThread?, _ index: IndexedRun?) async {
        await ledger.began(item.uri)
        let report = await pipeline.shared(item, order, on: thread)
        await index?.book?.add(report, item)
        await ledger.ended(report)
    }

    private func know(_ items: KnownItems) async {
        for (uri, error) in items.failures {
            pipeline.hub.send(.item(ItemReport(uri: uri, source: items.source, .failed(error, remembered: true))))
        }
        let unchanged = items.unchanged
        if unchanged.valid + unchanged.skipped > 0 { pipeline.hub.send(.unchanged(unchanged)) }
        await ledger.knew(items)
    }

    private func note(_ report: ItemReport) async {
        pipeline.hub.send(.item(report))
        await ledger.noted(report)
    }

    /// Items that are under way at once: a little more than can be rendered at once, since looking into the cache and
    /// sniffing go on meanwhile. Servers let one wait longer than disks.
    private var window: Int {
        let isElsewhere = sources.contains { $0.uri.scheme != "file" }
        return pipeline.configuration.jobs + (isElsewhere ? 12 : 4)
    }
}

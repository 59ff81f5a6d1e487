import Catalog
import Glibc
import PlaceNames
import Synchronization
import VitrineKit

extension SourceWatch {
    /// Looks at folders, or at everything, while no other run is at work on the source. Others wait until what was found
    /// is worked on.
    func look(at folders: Set<ItemPath>?, _ storage: Storage) async throws(PluginError) {
        isLooking = true
        var failure: PluginError?
        do throws(PluginError) {
            try await lock()
            try await lookAlone(at: folders, storage)
        } catch { failure = error }
        isLooking = false
        await rested()
        if let error = await book.takeFailure() {
            bookFailure = error
            throw error
        }
        if let failure { throw failure }
    }

    private func lock() async throws(PluginError) {
        guard !index.catalog.isReplaced else {
            let error = PluginError(
                .corrupt, "'\(DisplayText.of(index.catalog.path))' was deleted while it was used, and is made anew")
            bookFailure = error
            throw error
        }
        let names = try IndexedRun.names(of: source.uri, in: index.catalog).subtracting(locked)
        guard !names.isEmpty else { return }
        try await locks.take(names) { await self.sayBusy($0) }
        locked.formUnion(names)
    }

    private func sayBusy(_ process: Int32?) {
        let who = process.map { " (process \($0))" } ?? ""
        say(
            "another run\(who) is at work on '\(PlaceName.of(uri))'; it is looked at when that ends", once: "busy")
    }

    /// Lets others have the source when nothing of it is to be done any more.
    func rested() async {
        guard !locked.isEmpty, !isLooking, await !queue.holds(number) else { return }
        await book.flush()
        guard !isLooking else { return }
        let names = locked
        locked = []
        await locks.leave(names)
    }

    private func lookAlone(at folders: Set<ItemPath>?, _ storage: Storage) async throws(PluginError) {
        let (record, base) = try index.place(of: source.uri)
        var options = PrebuildOptions()
        options.includesHidden = source.includesHidden
        let walk = SourceWalk(
            storage: storage,
            filter: WalkFilter(
                of: source.uri, named: source.name, run.pipeline.configuration.settings, options,
                cache: run.pipeline.cache),
            crossesFileSystems: source.crossesFileSystems, others: others)
        let time = Int64(time(nil))
        var indexed = IndexedWalk(walk, index.catalog, record, base: base, plan: index.plan, now: time)
        let gone = GoneList()
        indexed.removed = { if let path = $0.below(base) { gone.add(path) } }
        indexed.entering = { [weak self] in await self?.enter($0) }
        loss = nil
        movedAway = []
        let visit: @Sendable (WalkStep) async -> Bool = { await self.take($0) }
        var failure: PluginError?
        do throws(PluginError) {
            if let folders { try await indexed.look(at: folders, visit) } else { try await indexed.run(visit) }
        } catch { failure = error }
        await run.ledger.found(indexed.summary, in: record.id)
        await book.touch(indexed.touched)
        await forget(gone.paths, base: base, record, storage, time)
        if await queue.isIdle { await book.finish() }
        if let error = failure ?? loss { throw error }
        if Task.isCancelled { throw PluginError(.cancelled, "stopped while folders were looked at") }
        if let filing = await run.pipeline.fileMessages(of: source.uri, named: source.name) {
            for sentence in filing.sentences { say(sentence, once: sentence) }
            for failure in filing.failures { say(failure.error.message, once: failure.error.message) }
        }
        guard folders == nil, base.isRoot || source.name != nil else { return }
        if let (folder, error) = indexed.failure {
            note(.partial, "'\(folder)': \(error.message)")
        } else {
            note(.complete, nil)
        }
    }

    /// Takes a step of a walk.
    /// - Returns: whether to go on.
    private func take(_ step: WalkStep) async -> Bool {
        switch step {
        case .item(let item):
            tellDeparture(at: item.uri)
            await consider(item)
        case .moved(let item, let old):
            movedAway.insert(old.uri)
            if !others.isEmpty { run.departures.arrived(from: old.uri, at: clock.now) }
            tellDeparture(at: item.uri)
            if await run.pipeline.moved(old, to: item, index), old.isSettled {
                // Its previews were there before, at another place.
                let report = run.pipeline.reportOfMoved(item, RenderOrder(sizes: run.options.sizes))
                await book.add(report, item)
                run.pipeline.hub.send(.item(report))
                await run.ledger.found()
                await run.ledger.kept(item, title: old.title)
            } else {
                await push(item, force: false)
            }
        case .known(let items): if phase == .first { await know(items) }
        case .skipped(let uri, let source, let error):
            if phase == .first { await tell(ItemReport(uri: uri, source: source, .skipped(error))) }
        case .failed(let uri, let source, let error):
            if error.code == .cancelled { return false }
            if error.code == .offline || error.code == .notFound {
                if uri == self.uri {
                    loss = error
                    return false
                }
                await lose(uri, error)
            }
            if error.code == .notFound, phase != .first { return true }
            // A folder that stays as it is, is not told of in every look.
            guard isNews(uri + " " + error.code.rawValue) else { return true }
            await tell(ItemReport(uri: uri, source: source, .failed(error, remembered: false)))
        }
        return true
    }

    /// Tells that something is gone before what is in its place now.
    private func tellDeparture(at uri: String) {
        guard !others.isEmpty, let source = run.departures.appeared(at: uri) else { return }
        run.pipeline.hub.send(.removed(uri: uri, source: source))
    }

    private func know(_ items: KnownItems) async {
        for (uri, error) in items.failures {
            run.pipeline.hub.send(.item(ItemReport(uri: uri, source: items.source, .failed(error, remembered: true))))
        }
        let unchanged = items.unchanged
        if unchanged.valid + unchanged.skipped > 0 { run.pipeline.hub.send(.unchanged(unchanged)) }
        await run.ledger.knew(items)
    }

    private func tell(_ report: ItemReport) async {
        run.pipeline.hub.send(.item(report))
        await run.ledger.noted(report)
    }

    /// A folder of the source is not there: it is no longer watched, and when it is a disk that was removed, it is looked
    /// for from time to time.
    private func lose(_ uri: String, _ error: PluginError) async {
        guard let path = (try? SourceURI(uri))?.path(below: source.uri), !path.isRoot else { return }
        watch?.remove(path)
        unwatched.remove(path)
        guard error.code == .offline, unwatched.count <= Self.unwatchedLimit else { return }
        unwatched.insert(path)
        await pollLater()
    }

    /// Works on an item now or a little later.
    private func consider(_ item: Item) async {
        switch settling.judge(item.path, item.entry, now: clock.now, time: Int64(time(nil))) {
        case .take: await push(item, force: settling.hasRenewed(item.path, item.entry))
        case .pass: break
        case .wait(let moment): if let folder = item.path.parent { await inbox.look(folder, at: moment) }
        }
    }

    private static let recentSeconds: Int64 = 3600

    private func push(_ item: Item, force: Bool) async {
        // What a look without a cause finds is what it could not take before, or what nobody told of.
        let recently = (item.entry.modified?.seconds ?? .min) > Int64(time(nil)) - Self.recentSeconds
        let isRecent = phase == .told || (phase == .unsure && recently)
        let work = WatchQueue.Work(item: item, isRecent: isRecent, source: number, force: force)
        if await queue.push(work) { await run.ledger.found() }
    }
}

/// Paths that a walk finds gone while the catalog is busy.
private final class GoneList: Sendable {
    private let list = Mutex<[ItemPath]>([])

    func add(_ path: ItemPath) { list.withLock { $0.append(path) } }

    var paths: [ItemPath] { list.withLock { $0 } }
}

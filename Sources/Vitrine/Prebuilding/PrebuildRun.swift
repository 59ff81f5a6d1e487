import Catalog
import PreviewCache
import VitrineKit

/// One run over sources: a walk that finds items, and tasks that bring each of them to its previews.
struct PrebuildRun {
    let pipeline: PreviewPipeline
    let sources: [RunSource]
    private let options: PrebuildOptions
    /// Whether it only looks, and renders nothing.
    let onlyLooks: Bool
    /// Whether it does over what another one could not do for the catalog's sake; to those who listen both are one.
    private let isAgain: Bool
    private let usesCatalog: Bool
    let order: RenderOrder
    let ledger: RunLedger
    /// What the walk found and nobody has taken yet.
    let queue: ItemQueue<RunStep>
    /// What is at another place by what the catalog says, and with which nobody dealt before the run was stopped.
    let leftMoves = LeftMoves()
    /// What it is over besides: files that a list names. Default: nothing.
    private let list: FileList?

    init(
        _ pipeline: PreviewPipeline, _ sources: [RunSource], _ options: PrebuildOptions, onlyLooks: Bool = false,
        isAgain: Bool = false, usesCatalog: Bool = true, list: FileList? = nil
    ) {
        self.list = list
        queue = ItemQueue(capacity: list == nil ? 1 << 16 : Self.listedAhead)
        self.isAgain = isAgain
        self.pipeline = pipeline
        self.onlyLooks = onlyLooks
        self.usesCatalog = usesCatalog
        var seen: Set<SourceURI> = []
        let sources = sources.filter { seen.insert($0.uri).inserted }
        self.sources = sources
        self.options = options
        var order = RenderOrder(
            sizes: options.sizes, variant: options.variant, force: options.force, isDryRun: options.isDryRun)
        order.limits = options.limits
        order.embedded = options.embedded
        order.wantsText = usesCatalog && pipeline.desk.isWanted && Self.isKept(options)
        self.order = order
        ledger = RunLedger(sources: sources.map(\.uri.text), hub: pipeline.hub, endsWithCache: true)
    }

    /// Runs to the end, or until the task is cancelled.
    func run() async -> RunSummary {
        await ReadLimits.$current.withValue(options.limits) { await runWithinLimits() }
    }

    private func runWithinLimits() async -> RunSummary {
        await ledger.start(isAgain: isAgain)
        // Else each file that has no preview would be drawn, and nothing of it be kept.
        if !options.isDryRun, !onlyLooks, let refusal = pipeline.cache.refusal(of: order.sizes, order.variant) {
            ledger.stop(for: refusal)
            return await ledger.finish(interrupted: Task.isCancelled)
        }
        let index = await index()
        guard let (sources, folders) = await turn(index) else {
            return await ledger.finish(interrupted: Task.isCancelled)
        }
        // Later than what another run did that was waited for.
        var version: Int64?
        if let index { version = try? await index.thread.run { () throws(PluginError) in try index.catalog.version } }
        await withTaskGroup(of: Void.self) { group in
            group.addTask { _ = self.pipeline.cache.removeAbandonedFiles() }
            if !options.isDryRun, !onlyLooks { pipeline.keeper.beginRun() }
            group.addTask(executorPreference: index?.thread) { await self.find(sources, folders, index) }
            await pipeline.keeper.takingAhead { await takeAll(index) }
            // Nobody works on what is still to be found.
            if ledger.isStopped { group.cancelAll() }
        }
        if let index {
            await takeLeftMoves(index)
            await tellDepartures(index)
        }
        if options.makesFolders, !onlyLooks, !Task.isCancelled, !ledger.isStopped { await makeFolders(sources) }
        await end(index, since: version)
        return await ledger.finish(interrupted: Task.isCancelled)
    }

    /// Writes down what is left to be written.
    /// - Parameter version: the catalog's when the run began to look.
    private func end(_ index: IndexedRun?, since version: Int64?) async {
        guard let index else { return }
        await withTaskExecutorPreference(index.thread) {
            let looked = await ledger.looked
            if let version, let removed = try? index.catalog.removedCount(since: version, from: looked) {
                await ledger.found(removed: removed)
            }
            if let book = index.book {
                await book.finish()
                // If that fails, these previews are missed when they are looked for.
                try? pipeline.lost.tell(index.catalog)
                if let error = await book.failure { await ledger.refused(error) }
            }
            // Who waited for the catalog in vain would wait again, and the next run does the same.
            if await ledger.hasLostCatalog { return }
            if index.book != nil { witness(index) }
            _ = try? VanishedItems(index.catalog, pipeline.cache).remove()
        }
    }

    /// Waits until nobody else works on these sources.
    /// - Returns: those that are to be worked on, and which of them turned out to be folders meanwhile; `nil` when nothing is
    ///   left to do.
    private func turn(_ index: IndexedRun?) async -> (sources: [RunSource], folders: Set<SourceURI>)? {
        guard let index else { return (sources, []) }
        do throws(PluginError) {
            var names: [String: Set<String>] = [:]
            var folders: Set<SourceURI> = []
            // A single file is quickly done, and nothing about it is written down.
            for source in sources {
                // What cannot be looked at is told when its turn comes.
                let kind = (try? await named(source.uri))??.entry.kind
                if kind == .file { continue }
                if kind == .folder { folders.insert(source.uri) }
                names[source.uri.text] = try await index.thread.run { () throws(PluginError) in
                    try IndexedRun.names(of: source.uri, in: index.catalog)
                }
            }
            let queue = RunQueue(
                catalog: index.catalog.path, policy: options.whenBusy, hub: pipeline.hub, ledger: ledger)
            switch try await queue.turn(names.values.reduce(into: []) { $0.formUnion($1) }) {
            case .begins(let locks, let failures, let isLate):
                await ledger.hold(locks)
                var free: [RunSource] = []
                for source in sources {
                    if let error = names[source.uri.text]?.lazy.compactMap({ failures[$0] }).first {
                        await ledger.fail(source: source.uri.text, error)
                    } else {
                        free.append(source)
                    }
                }
                return (free, isLate ? [] : folders)
            case .joined(let process):
                await ledger.joined(process)
                return nil
            }
        } catch {
            if index.catalog.threw(error) {
                await ledger.refused(error, isWhole: false)
            } else {
                for source in sources { await ledger.fail(source: source.uri.text, error) }
            }
            return nil
        }
    }

    /// Whether the catalog has a part in a run with these options.
    static func isKept(_ options: PrebuildOptions) -> Bool {
        !options.isDryRun && options.exclude.isEmpty && options.include.isEmpty
    }

    /// What the run has to do with the catalog; `nil` for one that leaves no trace, and when there is none.
    private func index() async -> IndexedRun? {
        // What a single run leaves out is not gone.
        guard usesCatalog, Self.isKept(options) else { return nil }
        do throws(PluginError) {
            let (desk, thread) = (pipeline.desk, pipeline.desk.thread)
            return try await thread.run { [pipeline, options, onlyLooks] () throws(PluginError) in
                guard let catalog = try desk.catalog() else { return nil }
                if onlyLooks { return IndexedRun(catalog: catalog, thread: thread, plan: nil, book: nil) }
                return try IndexedRun(
                    catalog, options.sizes, pipeline, options.variant, embedded: options.embedded)
            }
        } catch {
            await ledger.refused(error)
            return nil
        }
    }

    /// What this run made is no news to the next one.
    private func witness(_ index: IndexedRun) {
        // If that fails, the next run looks once more.
        _ = try? CacheWitness(cache: pipeline.cache, catalog: index.catalog).check(
            options.sizes, options.variant)
    }

    /// Walks sources, one after the other, and reads the list; fills the queue.
    /// - Parameter folders: those of which it is known that they are no files: a server is not asked again.
    private func find(_ free: [RunSource], _ folders: Set<SourceURI>, _ index: IndexedRun?) async {
        let all = Set(sources.map(\.uri.text))
        for source in free where !Task.isCancelled && !ledger.isStopped {
            do throws(PluginError) {
                try await find(
                    source, isFolder: folders.contains(source.uri), besides: all.subtracting([source.uri.text]), index)
            } catch {
                index?.note(error, at: source)
                await ledger.fail(source: source.uri.text, error)
            }
        }
        if let list { await read(list) }
        await ledger.foundAll()
        queue.finish()
    }

    private func find(
        _ run: RunSource, isFolder: Bool, besides others: Set<String>, _ index: IndexedRun?
    ) async throws(PluginError) {
        let (source, options) = (run.uri, run.options(self.options))
        if !isFolder, let item = try await item(run) {
            // A source was a folder when it was registered.
            if item.entry.kind == .file, run.name == nil {
                if !onlyLooks { _ = await push(.item(item)) }
                return
            }
            guard item.entry.kind == .folder else { throw PreviewPipeline.notAFolder(item.entry.kind) }
        }
        let walk = try await walk(of: run, besides: others)
        if let index, run.isCataloged {
            let indexing = SourceIndexing(
                index: index, hub: pipeline.hub, departures: pipeline.departures, cache: pipeline.cache,
                isRegistered: run.name != nil)
            try await indexing.run(walk, force: options.force, ledger, push)
        } else if !onlyLooks {
            await walk.run(push)
        }
        for reason in await walk.storage.omissions {
            _ = await push(.skipped(uri: source.text, source: source.text, reason))
        }
    }

    func walk(of run: RunSource, besides others: Set<String>) async throws(PluginError) -> SourceWalk {
        let options = run.options(self.options)
        let settings = BackendSettings(
            followsLinks: options.followsLinks, crossesFileSystems: options.crossesFileSystems)
        return SourceWalk(
            storage: try await pipeline.storages.storage(for: run.uri, settings),
            filter: WalkFilter(
                of: run.uri, named: run.name, pipeline.configuration.settings, options, cache: pipeline.cache),
            crossesFileSystems: options.crossesFileSystems, others: others)
    }

    /// Hands on what a walk met.
    /// - Returns: whether more is wanted.
    func push(_ step: WalkStep) async -> Bool {
        switch step {
        case .item, .moved: await ledger.found()
        case .known, .skipped, .failed: break
        }
        if await queue.push(.met(step)) { return true }
        leftMoves.add(step)
        return false
    }
}

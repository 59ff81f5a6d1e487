public import IgnoreRules
public import PreviewCache
public import VitrineKit

/// What a run shall do.
public struct PrebuildOptions: Sendable {
    /// The sizes to make. One rendering serves all. Default: `large`.
    public var sizes: [PreviewSize]
    /// Makes previews anew even where there are valid ones.
    public var force = false
    /// Finds out what would be made, and makes nothing.
    public var isDryRun = false
    /// Whether names that begin with a dot are entered. Default: as the settings say.
    public var includesHidden = false
    /// Patterns of what is left out, besides those of the settings and of the folders; they go before both.
    public var exclude: [IgnorePattern] = []
    /// Patterns of the files that are taken, in place of those of the settings. Default: as the settings say.
    public var include: [IgnorePattern] = []
    /// Whether symbolic links are followed.
    public var followsLinks = false
    /// Whether folders on other file systems are entered.
    public var crossesFileSystems = false

    /// Creates options.
    public init(sizes: [PreviewSize] = [.large]) { self.sizes = sizes }
}

extension PreviewPipeline {
    /// Makes previews of everything below the given sources, and of items that are named themselves.
    ///
    /// Progress is sent to the sources' topics. Cancelling the task stops the run within a moment; what was made
    /// stays, and the summary says that it was interrupted. No failure of an item or a source ends the run.
    /// - Parameters:
    ///   - sources: folders and files.
    ///   - options: what to make.
    /// - Returns: what was done.
    public func prebuild(_ sources: [SourceURI], _ options: PrebuildOptions = PrebuildOptions()) async -> RunSummary {
        let ledger = RunLedger(sources: sources.map(\.text), hub: hub)
        await ledger.start()
        let queue = ItemQueue<SourceWalk.Step>(capacity: 1 << 16)
        await withTaskGroup(of: Void.self) { group in
            group.addTask { _ = self.cache.removeAbandonedFiles() }
            group.addTask { await self.find(sources, options, queue, ledger) }
            let order = RenderOrder(sizes: options.sizes, force: options.force, isDryRun: options.isDryRun)
            // A little more than can be rendered at once: looking into the cache and sniffing go on meanwhile.
            let window = self.configuration.jobs + 4
            await withTaskGroup(of: Void.self) { items in
                var running = 0
                while let step = await queue.next() {
                    if running == window {
                        await items.next()
                        running -= 1
                    }
                    if Task.isCancelled { break }
                    items.addTask { await self.take(step, order, ledger) }
                    running += 1
                }
                await queue.finish(discarding: true)
            }
        }
        let summary = await ledger.finish(interrupted: Task.isCancelled)
        hub.send(.finished(summary))
        return summary
    }

    /// Walks the sources, one after the other, and fills the queue.
    private func find(
        _ sources: [SourceURI], _ options: PrebuildOptions, _ queue: ItemQueue<SourceWalk.Step>, _ ledger: RunLedger
    ) async {
        let all = Set(sources.map(\.text))
        var seen: Set<String> = []
        for source in sources where seen.insert(source.text).inserted {
            do throws(PluginError) {
                try await find(source, besides: all.subtracting([source.text]), options, queue, ledger)
            } catch {
                await ledger.fail(source: source.text, error)
            }
        }
        await ledger.foundAll()
        await queue.finish()
    }

    private func find(
        _ source: SourceURI, besides others: Set<String>, _ options: PrebuildOptions,
        _ queue: ItemQueue<SourceWalk.Step>, _ ledger: RunLedger
    ) async throws(PluginError) {
        let push: (SourceWalk.Step) async -> Bool = { step in
            if case .item = step { await ledger.found() }
            return await queue.push(step)
        }
        if source.path.count > 1 {
            let location = try ItemLocation(item: source)
            let named = BackendSettings(followsLinks: true, crossesFileSystems: true)
            let parent = try await storages.storage(for: location.source, named)
            let entry = try await parent.stat(location.path)
            if entry.kind == .file {
                _ = await push(.item(Item(storage: parent, path: location.path, entry: entry)))
                return
            }
            guard entry.kind == .folder else { throw Self.notAFile(entry.kind) }
        }
        let settings = BackendSettings(
            followsLinks: options.followsLinks, crossesFileSystems: options.crossesFileSystems)
        let walk = SourceWalk(
            storage: try await storages.storage(for: source, settings),
            filter: WalkFilter(of: source, configuration.settings, options, cache: cache),
            crossesFileSystems: options.crossesFileSystems, others: others)
        await walk.run(push)
    }

    private func take(_ step: SourceWalk.Step, _ order: RenderOrder, _ ledger: RunLedger) async {
        switch step {
        case .item(let item):
            await ledger.began(item.uri)
            let report = await shared(item, order)
            await ledger.ended(report)
        case .skipped(let uri, let source, let error):
            await note(ItemReport(uri: uri, source: source, .skipped(error)), ledger)
        case .failed(let uri, let source, let error):
            await note(ItemReport(uri: uri, source: source, .failed(error, remembered: false)), ledger)
        }
    }

    private func note(_ report: ItemReport, _ ledger: RunLedger) async {
        hub.send(.item(report))
        await ledger.noted(report)
    }
}

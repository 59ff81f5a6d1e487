import Catalog
public import VitrineKit

extension PreviewPipeline {
    /// Makes previews of everything below the given sources, and of items that are named themselves.
    ///
    /// Progress is sent to the sources' topics. Cancelling the task stops the run within a moment; what was made
    /// stays, and the summary says that it was interrupted. No failure of an item or a source ends the run; a cache that
    /// nothing can be written to does, for its disk is full or read-only, which the summary says, too.
    /// - Parameters:
    ///   - sources: folders and files. One that lies in another one has its own turn, with its own options, and the
    ///     other one passes it over. One that comes twice counts once.
    ///   - options: what to make.
    /// - Returns: what was done.
    public func prebuild(_ sources: [RunSource], _ options: PrebuildOptions = PrebuildOptions()) async -> RunSummary {
        await run(sources, options, onlyLooks: false)
    }

    /// Makes previews of everything below folders, and of files, that nothing else is known of.
    /// - Parameters:
    ///   - sources: folders and files.
    ///   - options: what to make.
    /// - Returns: what was done.
    public func prebuild(_ sources: [SourceURI], _ options: PrebuildOptions = PrebuildOptions()) async -> RunSummary {
        await prebuild(sources.map { RunSource($0) }, options)
    }

    /// Makes previews of the files that a list names, while it is read: work begins with the first of them, and memory does
    /// not grow with their number.
    ///
    /// As of single files, nothing of them is written down in the catalog. What a name does not lead to is a failure of that
    /// item. Folders are passed over. A list that cannot be read to its end is among ``RunSummary/failedSources``.
    /// - Parameters:
    ///   - list: read once.
    ///   - options: what to make; how folders are walked does not count.
    /// - Returns: what was done.
    public func prebuild(filesIn list: FileList, _ options: PrebuildOptions = PrebuildOptions()) async -> RunSummary {
        let summary = await PrebuildRun(self, [], options, usesCatalog: false, list: list).run()
        hub.send(.finished(summary))
        return summary
    }

    /// Finds out what is new, changed, moved and gone below the given sources, and writes it down in the catalog.
    /// Nothing is rendered and no file is opened; previews of files that were moved go with them.
    /// - Parameters:
    ///   - sources: folders; single files are passed over.
    ///   - options: what to look at; sizes and patterns do not count.
    /// - Returns: what was found, in ``RunSummary/changes``.
    public func index(_ sources: [RunSource], _ options: PrebuildOptions = PrebuildOptions()) async -> RunSummary {
        var options = options
        (options.include, options.exclude) = ([], [])
        return await run(sources, options, onlyLooks: true)
    }

    /// Finds out what is new, changed, moved and gone in folders that nothing else is known of.
    /// - Parameters:
    ///   - sources: folders; single files are passed over.
    ///   - options: what to look at; sizes and patterns do not count.
    /// - Returns: what was found, in ``RunSummary/changes``.
    public func index(_ sources: [SourceURI], _ options: PrebuildOptions = PrebuildOptions()) async -> RunSummary {
        await index(sources.map { RunSource($0) }, options)
    }

    private func run(_ sources: [RunSource], _ options: PrebuildOptions, onlyLooks: Bool) async -> RunSummary {
        var summary = await parts(sources, options, onlyLooks: onlyLooks)
        summary.sayOnceThatTheDiskIsFull()
        if desk.takeNews() { summary.notices.append(CatalogDesk.news) }
        if PrebuildRun.isKept(options), summary.joined == nil, summary.stopped == nil {
            for source in sources
            where !Task.isCancelled && !summary.failedSources.contains(where: { $0.uri == source.uri.text }) {
                if let filing = await fileMessages(of: source.uri, named: source.name) { summary.filing.append(filing) }
            }
        }
        hub.send(.finished(summary))
        let isWhole = !summary.isPart && !summary.hasLostCatalog
        if PrebuildRun.isKept(options), summary.joined == nil, summary.stopped == nil, isWhole {
            await withTaskExecutorPreference(desk.thread) { await completeNames(onlyLooks: onlyLooks) }
        }
        return summary
    }

    /// Runs, and once more for what the catalog kept from being done.
    private func parts(_ sources: [RunSource], _ options: PrebuildOptions, onlyLooks: Bool) async -> RunSummary {
        var summary = await PrebuildRun(self, sources, options, onlyLooks: onlyLooks).run()
        // Another run would meet the same.
        if summary.stopped != nil { return summary }
        if summary.catalogIsDamaged, !Task.isCancelled {
            // Nothing that was made is lost: a second run finds it in the cache.
            do throws(PluginError) {
                try await desk.thread.run { [desk] () throws(PluginError) in _ = try desk.replace() }
                var again = await PrebuildRun(self, sources, options, onlyLooks: onlyLooks, isAgain: true).run()
                again.follow(summary)
                again.notices.append(CatalogDesk.news)
                summary = again
            } catch { summary.notices.append(error.message) }
        }
        guard summary.isPart, summary.stopped == nil, !onlyLooks, !Task.isCancelled else { return summary }
        // A catalog that fails, on a full disk or one that breaks, is no reason to leave files without previews.
        var again = await PrebuildRun(self, sources, options, isAgain: true, usesCatalog: false).run()
        again.follow(summary)
        again.isPart = true
        return again
    }

    /// Indexes what was found for `vitrine find`, once everything else is done. What takes long is left to a run that
    /// took longer, or to the first search.
    private func completeNames(onlyLooks: Bool) async {
        guard !Task.isCancelled, let catalog = try? desk.catalog() else { return }
        // Where what is counted is damaged all is indexed anew, which takes long.
        let count = (try? catalog.unindexedCount()) ?? nil
        guard !onlyLooks || count.map({ $0 < Self.quicklyIndexed }) == true else { return }
        // If that fails, the next run, or a search, goes on from there, and says why it cannot.
        _ = try? catalog.completeIndex { !Task.isCancelled }
    }

    /// Names that are indexed in a moment.
    private static var quicklyIndexed: Int { 10_000 }
}

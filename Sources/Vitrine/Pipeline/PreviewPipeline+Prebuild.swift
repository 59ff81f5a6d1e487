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

    /// What to do when another run is at work on one of the sources. Default: wait for it.
    public var whenBusy = BusyPolicy.wait

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
        let summary = await run(sources, options, onlyLooks: false)
        hub.send(.finished(summary))
        return summary
    }

    /// Finds out what is new, changed, moved and gone below the given sources, and writes it down in the catalog.
    /// Nothing is rendered and no file is opened; previews of files that were moved go with them.
    /// - Parameters:
    ///   - sources: folders; single files are passed over.
    ///   - options: what to look at; sizes and patterns do not count.
    /// - Returns: what was found, in ``RunSummary/changes``.
    public func index(_ sources: [SourceURI], _ options: PrebuildOptions = PrebuildOptions()) async -> RunSummary {
        var options = options
        (options.include, options.exclude) = ([], [])
        let summary = await run(sources, options, onlyLooks: true)
        hub.send(.finished(summary))
        return summary
    }

    private func run(_ sources: [SourceURI], _ options: PrebuildOptions, onlyLooks: Bool) async -> RunSummary {
        var summary = await PrebuildRun(self, sources, options, onlyLooks: onlyLooks).run()
        if summary.catalogIsDamaged, !Task.isCancelled {
            // Nothing that was made is lost: a second run finds it in the cache.
            do throws(PluginError) {
                try desk.replace()
                var again = await PrebuildRun(self, sources, options, onlyLooks: onlyLooks, isAgain: true).run()
                again.follow(summary)
                again.notices.append("the catalog was damaged; a new one was made from the sources and the cache")
                summary = again
            } catch { summary.notices.append(error.message) }
        }
        guard summary.isPart, !onlyLooks, !Task.isCancelled else { return summary }
        // A catalog that fails, on a full disk or one that breaks, is no reason to leave files without previews.
        var again = await PrebuildRun(self, sources, options, isAgain: true, usesCatalog: false).run()
        again.follow(summary)
        return again
    }
}

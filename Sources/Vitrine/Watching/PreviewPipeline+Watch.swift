public import PreviewCache
public import VitrineKit

/// A source that is to be watched.
public struct WatchedSource: Sendable {
    /// Where it is.
    public var uri: SourceURI
    /// The name that it was given, by which the settings file may know it.
    public var name: String?
    /// Whether names that begin with a dot are entered. Default: as the settings say.
    public var includesHidden = false
    /// Whether symbolic links are followed.
    public var followsLinks = false
    /// Whether folders on other file systems are entered.
    public var crossesFileSystems = false

    /// Names a source.
    public init(_ uri: SourceURI, name: String? = nil) {
        self.uri = uri
        self.name = name
    }
}

/// How sources are watched.
public struct WatchOptions: Sendable {
    /// The sizes to make. One rendering serves all. Default: `large`.
    public var sizes: [PreviewSize]
    /// How often folders are looked at whose changes are not told. Default: five minutes.
    public var pollInterval: Duration = .seconds(300)
    /// How long the previews of an item that was seen to be deleted stay: it may turn up at another place. Default: two
    /// seconds.
    public var removalDelay: Duration = .seconds(2)

    /// Creates options.
    public init(sizes: [PreviewSize] = [.large]) { self.sizes = sizes }
}

extension PreviewPipeline {
    /// Makes previews of everything below the given sources, and then of whatever is new or changes, until the task is
    /// cancelled.
    ///
    /// Progress is sent to the sources' topics: `started`, what becomes of items, `watching` once all that was there has
    /// been worked on, and `finished` at the end. A source that goes away is waited for, and keeps its previews.
    /// - Parameters:
    ///   - sources: folders.
    ///   - options: what to make.
    /// - Returns: what was done. It ends by itself only when no source can be watched, or the catalog cannot be used; the
    ///   summary says why.
    public func watch(_ sources: [WatchedSource], _ options: WatchOptions = WatchOptions()) async -> RunSummary {
        var summary = await WatchRun(self, sources, options).run()
        if summary.catalogIsDamaged, !Task.isCancelled {
            // As in other runs: nothing is lost that the next one does not find out again.
            do throws(PluginError) {
                try desk.replace()
                var again = await WatchRun(self, sources, options, isAgain: true).run()
                again.follow(summary)
                summary = again
            } catch { summary.notices.append(error.message) }
        }
        hub.send(.finished(summary))
        return summary
    }
}

import PlaceNames
public import PreviewCache

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
    /// been worked on, and `finished` at the end. A source that goes away is waited for, and keeps its previews. While
    /// something is looked at or worked on, other runs over the same source wait, and so does the watch for these.
    /// - Parameters:
    ///   - sources: folders.
    ///   - options: what to make.
    ///   - changes: tells all the sources that are to be watched from then on, each time they change. Those that were
    ///     watched before are looked at once more. Default: they never change.
    /// - Returns: what was done. It ends by itself only when no source can be watched, or the catalog cannot be used; the
    ///   summary says why. A full disk is waited for.
    public func watch(
        _ sources: [WatchedSource], _ options: WatchOptions = WatchOptions(),
        changes: AsyncStream<[WatchedSource]>? = nil
    ) async -> RunSummary {
        var (sources, summary, isAgain) = (sources, RunSummary(sources: sources.map(\.uri.text)), false)
        while true {
            let end = await watch(sources, options, changes, isAgain)
            var part = end.summary
            if isAgain { part.follow(summary) }
            (summary, isAgain) = (part, true)
            guard let next = end.next, !Task.isCancelled else { break }
            for source in next where !sources.contains(where: { $0.uri == source.uri }) {
                hub.send(
                    .notice(source: source.uri.text, "'\(PlaceName.of(source.uri))' is watched from now on"))
            }
            sources = next
        }
        if Task.isCancelled { summary.wasInterrupted = true }
        hub.send(.finished(summary))
        return summary
    }

    /// Watches until the task is cancelled, nothing can be watched, or there are other sources.
    private func watch(
        _ sources: [WatchedSource], _ options: WatchOptions, _ changes: AsyncStream<[WatchedSource]>?, _ isAgain: Bool
    ) async -> (summary: RunSummary, next: [WatchedSource]?) {
        enum End {
            case ended(RunSummary)
            case other([WatchedSource]?)
        }
        return await withTaskGroup(of: End.self) { group in
            var (summary, next) = (RunSummary(sources: sources.map(\.uri.text)), [WatchedSource]?.none)
            // Without any there is nothing to do until one is added.
            if !sources.isEmpty || changes == nil {
                group.addTask { .ended(await self.watch(sources, options, isAgain)) }
            }
            if let changes {
                group.addTask {
                    var iterator = changes.makeAsyncIterator()
                    return .other(await iterator.next())
                }
            }
            for await end in group {
                switch end {
                case .ended(let ended):
                    summary = ended
                    group.cancelAll()
                case .other(let other):
                    // When nobody tells of changes any more, there are none.
                    guard let other else { continue }
                    next = other
                    group.cancelAll()
                }
            }
            return (summary, next)
        }
    }

    private func watch(_ sources: [WatchedSource], _ options: WatchOptions, _ isAgain: Bool) async -> RunSummary {
        var summary = await WatchRun(self, sources, options, isAgain: isAgain).run()
        var damaged: ContinuousClock.Instant?
        while summary.catalogIsDamaged, !Task.isCancelled {
            // As in other runs: nothing is lost that the next one does not find out again.
            do throws(PluginError) {
                let wasDeleted = try await desk.thread.run { [desk] () throws(PluginError) in try desk.replace() }
                if !wasDeleted {
                    // What is damaged again at once lies on a disk that breaks.
                    if let damaged, .now - damaged < Self.soundTime { break }
                    damaged = .now
                    tell(CatalogDesk.news, sources)
                }
                var again = await WatchRun(self, sources, options, isAgain: true).run()
                again.follow(summary)
                summary = again
            } catch {
                summary.notices.append(error.message)
                break
            }
        }
        return summary
    }

    /// For how long a catalog must have been sound at least, so that a watch puts another one in its place.
    private static var soundTime: Duration { .seconds(60) }

    /// Says something about all of the sources that are watched.
    func tell(_ sentence: String, _ sources: [WatchedSource]) {
        guard let source = sources.first else { return }
        hub.send(.notice(source: source.uri.text, sentence))
    }
}

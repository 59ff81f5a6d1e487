/// Something that happened, as a value.
public enum ProgressEvent: Sendable {
    /// A run began over these sources.
    case started(sources: [String])
    /// The run waits for another one that is at work on a source, in that process.
    case waiting(source: String, process: Int32)
    /// How far a run has come. Sent a few times a second at most.
    case advanced(RunProgress)
    /// Work on an item ended.
    case item(ItemReport)
    /// Files of one folder needed no work, since nothing changed. Those without a preview are told as items besides.
    case unchanged(UnchangedFolder)
    /// An item is at another place, and its previews with it.
    case moved(from: String, uri: String, source: String)
    /// An item, and its previews, are gone.
    case removed(uri: String, source: String)
    /// All that was there has been looked at and worked on; from now on changes are told as they happen. Sent by a watch.
    case watching(WatchState)
    /// Something that the user should know, in a whole sentence: about a source, sent by a watch, or about a plugin that is not
    /// used since its worker cannot be started, sent once with the source of the file that it would have drawn.
    case notice(source: String, String)
    /// Something about files that are copied.
    case copy(CopyEvent)
    /// A run ended. The last event of a run, which no listener misses.
    case finished(RunSummary)

    /// The item, for events that are about one.
    var uri: String? {
        switch self {
        case .item(let report): report.uri
        case .removed(let uri, _): uri
        case .unchanged(let folder): folder.uri
        case .moved(_, let uri, _): uri
        case .copy(let event): event.uri
        case .started, .waiting, .advanced, .watching, .notice, .finished: nil
        }
    }

    /// The sources that the event belongs to.
    var sources: [String] {
        switch self {
        case .started(let sources): sources
        case .waiting(let source, _): [source]
        case .advanced(let progress): progress.sources
        case .item(let report): [report.source]
        case .removed(_, let source): [source]
        case .unchanged(let folder): [folder.source]
        case .moved(_, _, let source): [source]
        case .watching(let state): state.sources
        case .notice(let source, _): [source]
        case .copy(let event): [event.destination]
        case .finished(let summary): summary.sources
        }
    }
}

/// A folder with files that needed no work.
public struct UnchangedFolder: Hashable, Sendable {
    /// Its URI.
    public var uri: String
    /// The URI of its source.
    public var source: String
    /// Files whose previews are all there and still true.
    public var valid: Int
    /// What no preview is made of.
    public var skipped: Int
}

import Catalog
public import PluginHost
import PreviewCache
public import RangeReading
import Timing
public import VitrineKit

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

/// What a watch looks after.
public struct WatchState: Hashable, Sendable {
    /// Its sources.
    public var sources: [String]
    /// Folders whose changes are told by their storages.
    public var folders = 0
    /// Sources, or folders of sources, that are looked at from time to time instead.
    public var polled = 0
    /// Sources that are not there.
    public var absent = 0
}

/// How far a run has come.
public struct RunProgress: Sendable {
    /// The sources of the run.
    public var sources: [String]
    /// Items whose work has ended, however it ended.
    public var done = 0
    /// Items found so far.
    public var found = 0
    /// Whether all items have been found, so that `found` is the final number.
    public var foundAll = false
    /// Bytes of the items that previews were made of.
    public var bytes: Int64 = 0
    /// Items a second, over the last seconds.
    public var rate = 0.0
    /// Seconds until the end, once that can be told.
    public var secondsLeft: Double?
    /// The item whose work began last.
    public var current: String?

    /// Creates a progress of zero.
    public init(sources: [String]) { self.sources = sources }
}

/// What became of one item.
public struct ItemReport: Sendable {
    /// How it ended.
    public enum Outcome: Sendable {
        /// Previews were made.
        case made([Preview])
        /// All previews were there already, and are still true.
        case valid([Preview])
        /// Previews would be made; this is a dry run.
        case planned
        /// It is nothing that previews are made of.
        case skipped(PluginError)
        /// There is no preview, for this reason. `remembered`: it was found out in an earlier run and not tried again.
        case failed(PluginError, remembered: Bool)
    }

    /// A renderer that did not draw an item.
    public struct Refusal: Sendable {
        /// Who it was.
        public var renderer: RendererName
        /// Why; `nil` when its picture showed nothing, which was doubted.
        public var reason: PluginError?
    }

    /// The item's URI.
    public var uri: String
    /// The URI of its source.
    public var source: String
    /// How it ended.
    public var outcome: Outcome
    /// Bytes of the item, if known.
    public var bytes: Int64?
    /// Its MIME type, if it was looked at.
    public var type: SniffedType?
    /// What it is a packed file of, when that was drawn: `application/pdf` of `report.pdf.gz`.
    public var packed: SniffedType?
    /// The plugin that made the previews, or that failed last.
    public var renderer: RendererName?
    /// The renderers besides ``renderer`` that were asked and drew nothing, or nothing to be seen, in that order; of work that was
    /// done just now.
    public internal(set) var refusals: [Refusal] = []
    /// What the renderer learned.
    public var facts = Facts()
    /// What the picture is when it lay ready inside the item, such as "EXIF thumbnail"; of what was made just now.
    public var embedded: String?
    /// A ThumbHash of the picture in Base64, when it was made just now.
    public var placeholder: String? { placeholderHash.isEmpty ? nil : Placeholder.text(placeholderHash) }
    /// The same as bytes.
    var placeholderHash: [UInt8] = []
    /// Where time went.
    public var times = StageTimes()
    /// What was asked of its storage; `nil` for files of this machine.
    public var traffic: ItemTraffic?
    /// Whether it is encrypted, and was drawn with a password.
    public var isUnlocked = false
    /// Whether it failed because the cache could not keep what was made of it.
    public var isUnkept = false
    /// What tells its content from others, if that was found out.
    var fingerprint: ContentFingerprint?
    /// Whether the picture was made of previews that were there, so that nothing new was learned of the item.
    var wasNotRead = false
    /// The item with the same content whose previews it took over.
    var twin: ItemID?
    /// Whether the cache was found to have a preview of an earlier state of it.
    var hadStale = false
    /// Whether nothing more can be stored, for the disk of the cache is full, or nobody may write to it.
    var metClosedCache = false
    /// When the cache was found to remember no failure of it.
    var hadNoFailure: Moment?

    /// Whether the cache may remember a failure of it: after a moment another process may have met one.
    var mayHaveFailure: Bool { hadNoFailure.map { $0.duration(to: .now) > .milliseconds(20) } ?? true }

    init(_ item: Item, _ outcome: Outcome) {
        self.init(uri: item.uri, source: item.storage.source.text, outcome)
        bytes = item.entry.size
    }

    init(uri: String, source: String, _ outcome: Outcome) {
        self.uri = uri
        self.source = source
        self.outcome = outcome
    }
}

/// A renderer plugin by its names.
public struct RendererName: Hashable, Sendable {
    /// Its id.
    public var id: String
    /// Its version.
    public var version: String
    /// What people call what it renders, such as "PDF documents".
    public var title: String
    /// What its workers may use, so that a failure under tighter limits is told from one under these.
    var limits = ""
}

/// Where the time of one item went.
public struct StageTimes: Sendable {
    /// Looking into the cache.
    public var lookup: Duration = .zero
    /// Opening the item, reading its head, finding its type.
    public var sniff: Duration = .zero
    /// Waiting for a turn.
    public var wait: Duration = .zero
    /// Getting a warm worker.
    public var start: Duration = .zero
    /// Waiting for ranges of an item that lies elsewhere.
    public var read: Duration = .zero
    /// In the renderer.
    public var render: Duration = .zero
    /// Scaling and encoding.
    public var encode: Duration = .zero
    /// Checking and writing.
    public var store: Duration = .zero
    /// All together, from the item's turn to its end.
    public var total: Duration = .zero
}

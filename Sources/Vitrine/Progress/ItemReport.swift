import Catalog
public import PluginHost
public import RangeReading
import Timing
public import VitrineKit

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
    /// The type that its preview in the cache tells, where that was there and the item was not opened.
    var entryType: String?
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
    public var placeholder: String? { placeholderHash.isEmpty ? nil : Base64.text(placeholderHash) }
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
    /// Whether it was opened for its text, though its previews were there.
    var wasRead = false
    /// Whether its text is still to be read, by another run.
    var lacksText = false
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

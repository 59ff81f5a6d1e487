public import Finishing
public import VitrineKit

/// What lies in folders, with pictures, for a page that people look at.
public struct Survey: Sendable {
    /// One file.
    public struct Entry: Sendable {
        /// Its URI.
        public var uri: String
        /// The URI of the folder that the run began at.
        public var source: String
        /// What people call such files, such as "PDF documents".
        public var kind: String
        /// Its size, where known.
        public var bytes: Int64?
        /// What a renderer learned.
        public var facts = Facts()
        /// Its picture, without keys; `nil` when there is none, or when there were too many.
        public var picture: [UInt8]?
        /// The picture's format.
        public var format = PictureFormat.webp
        /// The picture's size in pixels.
        public var pixels: PixelSize?
        /// Why there is no preview; `nil` when there is one.
        public var failure: PluginError?
        /// The entry of the cache.
        var path: String?
    }

    /// The files, by folder, kind and name.
    public var entries: [Entry] = []
    /// Files that are not among them, for there were too many.
    public var omitted = 0
    /// Files among them whose preview is not shown, for there were too many.
    public var withoutPicture = 0

    /// Files that were looked at and are nothing that previews are made of, such as those of unknown types, with the
    /// reason as their failure. What the options or the folders leave out is not among them.
    public var others: [Entry] = []
    /// Such files that are not among them, for there were too many.
    public var omittedOthers = 0

    /// The most of ``others``.
    public static let mostOthers = 200
    /// The most files, and the most bytes of all pictures: what a browser shows at once on a small machine.
    public static let mostEntries = 2000
    static let mostBytes = 24 << 20
    /// The same where they lie beside one another as PNG, in memory only.
    static let mostPlainBytes = 96 << 20

    /// Takes up an item that was skipped, if somebody may look for it.
    mutating func noteOther(_ report: ItemReport) {
        guard case .skipped(let error) = report.outcome, report.type != nil else { return }
        guard others.count < Self.mostOthers else {
            omittedOthers += 1
            return
        }
        others.append(
            Entry(uri: report.uri, source: report.source, kind: "Others", bytes: report.bytes, failure: error))
    }
}

public import VitrineKit

/// Something that happened while files were copied. All of it belongs to the destination's topics: to
/// ``Topic/source(_:)`` and ``Topic/folder(_:)`` of its URI, and what is about one file to ``Topic/item(_:)`` of that
/// file's new URI.
public enum CopyEvent: Sendable {
    /// Copying to this folder began.
    case started(destination: String, sources: [String])
    /// How far all of it has come. Sent a few times a second at most.
    case advanced(CopyProgress)
    /// How far one file has come: when it begins, and a few times a second.
    case file(CopyFileProgress)
    /// Work on a file or folder ended.
    case item(CopyReport)
    /// Copying ended. The last event, which no listener misses.
    case finished(CopySummary)

    /// What it is about: a file's new URI, or the destination.
    var uri: String {
        switch self {
        case .started(let destination, _): destination
        case .advanced(let progress): progress.destination
        case .file(let file): file.uri
        case .item(let report): report.uri
        case .finished(let summary): summary.destination
        }
    }

    /// The destination.
    var destination: String {
        switch self {
        case .started(let destination, _): destination
        case .advanced(let progress): progress.destination
        case .file(let file): file.destination
        case .item(let report): report.destination
        case .finished(let summary): summary.destination
        }
    }
}

/// How far copying has come.
public struct CopyProgress: Sendable {
    /// The destination's URI.
    public var destination: String
    /// Files whose work has ended, however it ended.
    public var done = 0
    /// Files found so far.
    public var found = 0
    /// Whether all files have been found, so that `found` and `size` are final.
    public var foundAll = false
    /// Bytes that are at the destination, those of files under way included.
    public var bytes: Int64 = 0
    /// Bytes of the files found so far, as far as their sizes are known.
    public var size: Int64 = 0
    /// Bytes a second, over the last seconds.
    public var rate = 0.0
    /// Seconds until the end, once that can be told.
    public var secondsLeft: Double?
    /// The file that was begun last, by its own URI.
    public var current: String?
}

/// How far one file has come.
public struct CopyFileProgress: Hashable, Sendable {
    /// The destination's URI.
    public var destination: String
    /// The file.
    public var from: String
    /// What its copy will be called.
    public var uri: String
    /// Bytes that are there.
    public var bytes: Int64
    /// Bytes of all of it, if known.
    public var size: Int64?
}

/// What became of one file or folder.
public struct CopyReport: Sendable {
    /// How it ended.
    public enum Outcome: Sendable {
        /// It was copied. `reused`: bytes that were there from an earlier try.
        case copied(reused: Int64)
        /// A file of this content was there already.
        case present
        /// It is nothing that is copied, for this reason.
        case skipped(PluginError)
        /// It was not copied, for this reason. Nothing of it can be seen.
        case failed(PluginError)
    }

    /// The destination's URI.
    public var destination: String
    /// The file or folder.
    public var from: String
    /// Its copy; the destination's folder that it would have come to when there is none.
    public var uri: String
    /// How it ended.
    public var outcome: Outcome
    /// Bytes of the file, if known.
    public var size: Int64?
    /// The checksum that both sides agree on, if one was compared.
    public var checksum: Checksum?
}

/// What was copied, and what was not.
public struct CopySummary: Sendable {
    /// One file or folder that was not copied.
    public struct Exception: Sendable {
        /// It.
        public var from: String
        /// The reason.
        public var error: PluginError
    }

    /// The destination's URI.
    public var destination: String
    /// Files that were copied.
    public var copied = 0
    /// Bytes of them.
    public var bytes: Int64 = 0
    /// How many of these were there from an earlier try.
    public var reused: Int64 = 0
    /// Files that were there already.
    public var present = 0
    /// Folders that were made.
    public var folders = 0
    /// Links, pipes and the like, and files that were left out because their names were taken.
    public var skipped = 0
    /// Files and folders that could not be copied.
    public var failed = 0
    /// Files that were found and not begun, or not ended, when copying was stopped. There may be more that were not found.
    public var left = 0
    /// Why copying was stopped before all was tried: a full disk, say.
    public var stopped: PluginError?
    /// Whether somebody asked to stop.
    public var wasInterrupted = false
    /// Seconds that it took.
    public var seconds = 0.0
    /// The first that were left out, at most ``limit``.
    public var skips: [Exception] = []
    /// The first that failed, at most ``limit``.
    public var failures: [Exception] = []

    /// How many of each are kept.
    public static let limit = 1000

    /// Whether everything that is ever copied is at the destination now.
    public var isComplete: Bool { failed == 0 && left == 0 && stopped == nil && !wasInterrupted }
}

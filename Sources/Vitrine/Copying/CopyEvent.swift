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

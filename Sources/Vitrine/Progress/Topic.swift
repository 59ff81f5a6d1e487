/// What a progress listener subscribes to. Who sends progress does not know who listens.
public struct Topic: Hashable, Sendable {
    enum Scope: Hashable {
        case everything
        case source(String)
        case folder(String)
        case item(String)
    }
    let scope: Scope

    /// All that the pipeline does.
    public static let everything = Topic(scope: .everything)

    /// What happens to a source: its runs, and all of its items.
    /// - Parameter uri: the source's URI.
    public static func source(_ uri: String) -> Topic { Topic(scope: .source(uri)) }

    /// What happens to a folder and to everything below it. That a run began, how far it is and that it ended belong to its
    /// sources, and are not told here.
    /// - Parameter uri: the folder's URI, without a trailing `/`.
    public static func folder(_ uri: String) -> Topic { Topic(scope: .folder(uri)) }

    /// What happens to one item, without what belongs to runs.
    /// - Parameter uri: the item's URI.
    public static func item(_ uri: String) -> Topic { Topic(scope: .item(uri)) }

    /// Whether a subscriber of this topic hears of an event.
    func covers(_ event: ProgressEvent) -> Bool {
        switch scope {
        case .everything: true
        case .source(let uri): event.sources.contains { $0 == uri }
        case .folder(let uri):
            event.uri.map { $0 == uri || Self.lies($0, below: uri) } ?? false || Self.isCopy(event, to: uri)
        case .item(let uri): event.uri == uri
        }
    }

    /// A copy's URI need not begin with that of its destination: `s3://bucket/folder?region=x` has its query at the end.
    private static func isCopy(_ event: ProgressEvent, to folder: String) -> Bool {
        if case .copy(let copy) = event { copy.destination == folder } else { false }
    }

    private static func lies(_ uri: String, below folder: String) -> Bool {
        uri.hasPrefix(folder)
            && (folder.hasSuffix("/") || uri.utf8.dropFirst(folder.utf8.count).first == UInt8(ascii: "/"))
    }
}

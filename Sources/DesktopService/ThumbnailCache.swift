import Vitrine

/// Lets previews go with their files (`org.freedesktop.thumbnails.Cache1`): file managers say what they move, copy and delete.
///
/// Only what Vitrine made is touched, and only previews of files on this machine.
final class ThumbnailCache: BusObject {
    static let name = "org.freedesktop.thumbnails.Cache1"
    static let path = "/org/freedesktop/thumbnails/Cache1"
    static let description = """
        <interface name="org.freedesktop.thumbnails.Cache1">
        <method name="Move"><arg type="as" direction="in"/><arg type="as" direction="in"/></method>
        <method name="Copy"><arg type="as" direction="in"/><arg type="as" direction="in"/></method>
        <method name="Delete"><arg type="as" direction="in"/></method>
        <method name="Cleanup"><arg type="as" direction="in"/><arg type="u" direction="in"/></method>
        </interface>
        """

    private enum Change: Sendable {
        case deleted(String)
        case taken(from: String, to: String, keepsOld: Bool)
    }

    private let use: ServiceUse
    /// Changes are made one after the other, in the order in which they are told.
    private let changes: AsyncStream<Change>.Continuation

    init(_ pipeline: PreviewPipeline, use: ServiceUse) {
        let (stream, changes) = AsyncStream.makeStream(of: Change.self)
        (self.changes, self.use) = (changes, use)
        Task {
            for await change in stream {
                switch change {
                case .deleted(let uri): pipeline.removePreviews(of: uri)
                case .taken(let from, let to, let keepsOld):
                    await pipeline.takePreviews(of: from, to: to, keepsOld: keepsOld)
                }
                use.end()
            }
        }
    }

    deinit { changes.finish() }

    func answer(_ method: String, _ arguments: BusArguments, from client: String) -> BusAnswer? {
        use.touch()
        switch method {
        case "Move", "Copy":
            guard let from = arguments.texts(0), let to = arguments.texts(1), from.count == to.count else { return nil }
            for (from, to) in zip(from, to) where Thumbnailer.takes(from) && Thumbnailer.takes(to) {
                add(.taken(from: from, to: to, keepsOld: method == "Copy"))
            }
        case "Delete":
            guard let uris = arguments.texts(0) else { return nil }
            for uri in uris where Thumbnailer.takes(uri) { add(.deleted(uri)) }
        // What has no file any more, and what was not used for long, Vitrine finds by itself.
        case "Cleanup": break
        default: return nil
        }
        return .values([])
    }

    private func add(_ change: Change) {
        use.begin()
        changes.yield(change)
    }
}

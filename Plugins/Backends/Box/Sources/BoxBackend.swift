import Transfer
public import VitrineKit

/// Files of Box: scheme `box`, as `box:/folder`.
///
/// Box knows files by ids; ``VitrineKit/IdentifierTree`` makes paths of them. Follows Box's public documentation, and is not
/// yet tried on the live service.
///
/// | setting | meaning | default |
/// |---|---|---|
/// | `token` | a token of a developer, instead of a log-in | none |
/// | `api-url` | the interface, for a proxy before it | `https://api.box.com/2.0` |
/// | `download-hosts` | servers, as `host:port`, that files may be taken from besides those of Box | none |
/// | `ca-file`, `connections`, `connect-timeout`, `stall-timeout`, `timeout` | as in ``TransferPolicy`` | |
public final class BoxBackend: MeteredBackend {
    let place: BoxPlace
    let service: BoxService
    let tree: IdentifierTree
    /// Takes files from servers that no token is sent to.
    let downloads: TransferClient

    /// Asks for the root of the source.
    public init(source: SourceURI, settings: BackendSettings) async throws(PluginError) {
        place = try BoxPlace(source, settings)
        var policy = try TransferPolicy(settings: settings, schemes: [place.service.scheme, "https"])
        policy.credentials = .none
        service = BoxService(
            place: place, client: TransferClient(policy, name: place.service.server),
            access: try TokenAccess(settings, service: "Box"))
        downloads = TransferClient(policy, name: "the servers that hand out files of Box")
        tree = IdentifierTree(service)
        guard try await stat(.root).kind == .folder else {
            throw PluginError(.notAFile, "'\(DisplayText.of(source.text))' is a file, not a folder")
        }
    }

    /// What was asked for since the beginning.
    public var traffic: Traffic {
        let (asked, read) = (service.client.traffic, downloads.traffic)
        return Traffic(
            requests: asked.requests + read.requests, retries: asked.retries + read.retries,
            bytesReceived: asked.bytesReceived + read.bytesReceived, time: asked.time + read.time)
    }

    /// Lists a folder with a request for each thousand items.
    public func list(_ folder: ItemPath) -> any AsyncSequence<[Entry], PluginError> & Sendable {
        BoxListing(backend: self, folder: folder)
    }

    /// What a path is, with one request when its folder was listed a moment ago.
    public func stat(_ path: ItemPath) async throws(PluginError) -> Entry { try await item(path).entry }

    /// Looks at a file, and brings its beginning along.
    public func open(_ path: ItemPath) async throws(PluginError) -> any ByteSource {
        let item = try await item(path)
        guard item.entry.kind == .file else { throw PluginError(.notAFile, "\(path.shown) is a folder, not a file") }
        let file = BoxFile(item, path, self)
        try await file.readHead()
        return file
    }

    /// Asks nothing: Box hands out the version that was listed, or none.
    public func open(_ path: ItemPath, listedAs entry: Entry) async throws(PluginError) -> any ByteSource {
        guard entry.kind == .file, entry.size != nil, entry.boxVersion != nil else { return try await open(path) }
        var item = try await tree.known(at: place.path(path))
        guard item.entry.kind == .file else { throw PluginError(.notAFile, "\(path.shown) is a folder, not a file") }
        item.entry = entry
        return BoxFile(item, path, self)
    }

    private func item(_ path: ItemPath) async throws(PluginError) -> IdentifiedItem {
        var item = try await tree.item(at: place.path(path))
        item.entry.name = path.name
        return item
    }
}

/// One level of a source.
struct BoxListing: AsyncSequence, Sendable {
    let backend: BoxBackend
    let folder: ItemPath

    struct AsyncIterator: AsyncIteratorProtocol {
        let listing: BoxListing
        private var pages: (any AsyncIteratorProtocol<[Entry], PluginError>)?

        init(_ listing: BoxListing) { self.listing = listing }

        mutating func next(isolation actor: isolated (any Actor)? = #isolation) async throws(PluginError) -> [Entry]? {
            if pages == nil {
                let path = try listing.backend.place.path(listing.folder)
                pages = listing.backend.tree.list(path).makeAsyncIterator()
            }
            return try await pages?.next(isolation: actor)
        }
    }

    func makeAsyncIterator() -> AsyncIterator { AsyncIterator(self) }
}

import Transfer
public import VitrineKit

/// Files of a WebDAV server (RFC 4918), such as Nextcloud, ownCloud and Apache: schemes `dav` (HTTP) and `davs` (HTTPS).
///
/// - Settings are those of ``TransferPolicy``. A user or password in the URI is refused.
/// - A folder is one request, its listing is read as it comes. A file is one request for each range.
/// - Nothing that a server lists is believed to lie elsewhere than in the folder that was asked for.
public final class WebDAVBackend: MeteredBackend {
    let root: DAVAddress
    let client: TransferClient

    /// Asks for the root of the source.
    /// - Parameters:
    ///   - source: `davs://host/path`.
    ///   - settings: credentials, certificates and times.
    public init(source: SourceURI, settings: BackendSettings) async throws(PluginError) {
        root = try DAVAddress(source)
        client = TransferClient(
            try TransferPolicy(settings: settings, schemes: ["http", "https"]), name: root.base.server)
        guard try await stat(.root).kind == .folder else {
            throw PluginError(.notAFile, "'\(DisplayText.of(source.text))' is a file, not a folder")
        }
    }

    /// What was asked for since the beginning.
    public var traffic: Traffic { client.traffic }

    /// Lists a folder with one request, in pages of up to 1000 entries.
    public func list(_ folder: ItemPath) -> any AsyncSequence<[Entry], PluginError> & Sendable {
        DAVListing(backend: self, folder: folder)
    }

    /// What a path is, with one request.
    public func stat(_ path: ItemPath) async throws(PluginError) -> Entry { try await look(path).entry }

    /// Looks at a file with one request, to know its kind, size and version.
    public func open(_ path: ItemPath) async throws(PluginError) -> any ByteSource {
        let (entry, etag) = try await look(path)
        guard entry.kind == .file else { throw PluginError(.notAFile, "\(path.shown) is a folder, not a file") }
        return try file(path, entry, etag)
    }

    /// Asks for nothing: each range is held against what was listed.
    public func open(_ path: ItemPath, listedAs entry: Entry) async throws(PluginError) -> any ByteSource {
        // Without a mark a folder that took the file's place would be read as a page.
        guard entry.kind == .file, entry.size != nil, entry.etag != nil else { return try await open(path) }
        return try file(path, entry, nil)
    }

    private func file(_ path: ItemPath, _ entry: Entry, _ strongTag: String?) throws(PluginError) -> HTTPFile {
        let url = try root.url(of: path, isFolder: false)
        return HTTPFile(
            entry: entry, strongTag: strongTag, client: client,
            request: { headers in
                var request = TransferRequest(url, purpose: "cannot read \(path.shown)")
                request.headers = headers
                return request
            },
            now: { () throws(PluginError) in try await self.stat(path) })
    }

    private func look(_ path: ItemPath) async throws(PluginError) -> (entry: Entry, etag: String?) {
        let purpose = "cannot look at \(path.shown)"
        let response = try await ask(
            propfind(path, depth: 0, purpose: purpose, isFolder: path.isRoot), about: path)
        return (response.entry(named: path.name), response.etag)
    }

    /// What a server says about one path.
    func ask(_ request: TransferRequest, about path: ItemPath) async throws(PluginError) -> DAVResponse {
        let (_, body) = try await client.collect(request)
        var reader = MultiStatusReader("the answer about \(path.shown)")
        for response in try reader.responses(from: body) + reader.responses(from: nil) {
            guard try root.name(of: response, in: path) == .itself else { continue }
            try response.check(path)
            return response
        }
        throw PluginError(.io, "cannot look at \(path.shown): '\(root.base.server)' answers about something else")
    }

    /// A request for the properties that an entry has room for.
    func propfind(
        _ path: ItemPath, depth: Int, purpose: String, isFolder: Bool, properties: [UInt8] = WebDAVBackend.properties
    ) throws(PluginError) -> TransferRequest {
        var request = TransferRequest(
            try root.url(of: path, isFolder: isFolder), method: "PROPFIND", purpose: purpose)
        request.headers = [("Depth", "\(depth)"), ("Content-Type", "application/xml; charset=utf-8")]
        request.body = properties
        request.accepted = { $0 == 207 }
        let server = root.base.server
        request.explain = { head, _ in
            guard 200..<300 ~= head.status else { return nil }
            return PluginError(
                .invalidArgument,
                "\(purpose): '\(server)' is no WebDAV server there (status \(head.status)): check the path")
        }
        return request
    }

    private static let properties = Array(
        """
        <?xml version="1.0" encoding="utf-8"?><propfind xmlns="DAV:"><prop><resourcetype/><getcontentlength/>\
        <getlastmodified/><getetag/><getcontenttype/><fileid xmlns="http://owncloud.org/ns"/></prop></propfind>
        """.utf8)
}

import Synchronization
import Transfer
public import VitrineKit

/// Objects of a bucket as files: `s3://bucket/prefix?endpoint=https://host&region=…&style=path|virtual`.
///
/// - A slash in a key parts folders. A folder is there while a key begins with it; an object `folder/` of no bytes marks
///   one that is empty, as other programs do.
/// - Keys that are no path (with an empty part, `.` or `..`) cannot be reached. They are left out of listings, and told of in
///   ``omissions``. Where an object and a folder have one name, the listing has the folder.
/// - Settings are those of ``TransferPolicy``, and `access-key`, `secret-key`, `session-token`, `profile`, `region`,
///   `endpoint`, `style` and `anonymous`. What stands in the URI counts more; credentials may not stand there. Without
///   them, the environment's `AWS_…` and the files of AWS's own tools are used.
public final class S3Backend: MeteredBackend, OmittingBackend {
    let bucket: S3Bucket
    let client: TransferClient
    let omitted = S3Omissions()
    /// Folders that are known to be there, for what is written into them.
    let folders = Mutex<Set<ItemPath>>([])

    /// Asks for one key of the source.
    /// - Parameters:
    ///   - source: as above.
    ///   - settings: as above.
    public init(source: SourceURI, settings: BackendSettings) async throws(PluginError) {
        bucket = try S3Bucket(source, settings.values)
        var policy = try TransferPolicy(settings: settings, schemes: ["http", "https"])
        policy.credentials = .none
        client = TransferClient(policy, name: bucket.base.server)
        _ = try await stat(.root)
    }

    /// What was asked for since the beginning.
    public var traffic: Traffic { client.traffic }

    /// What was left out of listings so far, since no path leads there.
    public var omissions: [PluginError] { omitted.sentences }

    /// Lists a folder with a request for each thousand keys.
    public func list(_ folder: ItemPath) -> any AsyncSequence<[Entry], PluginError> & Sendable {
        S3Listing(backend: self, folder: folder)
    }

    /// What a path is: one request for an object, two for a folder.
    public func stat(_ path: ItemPath) async throws(PluginError) -> Entry {
        if !path.isRoot, let object = try await look(path)?.entry { return object }
        // The bucket itself is there when it can be asked, also without a key.
        let page = try page(try await listing(of: path, after: nil, limit: 1), of: path)
        guard path.isRoot && bucket.prefix.isEmpty || !page.objects.isEmpty || !page.prefixes.isEmpty else {
            throw bucket.missing(path)
        }
        return Entry(name: path.name, kind: .folder)
    }

    /// Looks at an object with one request, to know its size and version.
    public func open(_ path: ItemPath) async throws(PluginError) -> any ByteSource {
        guard !path.isRoot, let (entry, etag) = try await look(path) else {
            let entry = try await stat(path)
            throw PluginError(.notAFile, "\(path.shown) is a \(entry.kind), not a file")
        }
        return file(path, entry, etag)
    }

    /// Asks for nothing: each range is held against what was listed.
    public func open(_ path: ItemPath, listedAs entry: Entry) async throws(PluginError) -> any ByteSource {
        guard !path.isRoot, entry.kind == .file, entry.size != nil, let etag = entry.etag else {
            return try await open(path)
        }
        return file(path, entry, "\"\(etag)\"")
    }

    private func file(_ path: ItemPath, _ entry: Entry, _ strongTag: String?) -> HTTPFile {
        let key = bucket.prefix + path.bytes
        return HTTPFile(
            entry: entry, strongTag: strongTag, client: client,
            request: { [bucket] (headers) throws(PluginError) in
                try bucket.request("GET", key: key, headers: headers, purpose: "cannot read \(path.shown)")
            },
            now: { () throws(PluginError) in
                guard let now = try await self.look(path)?.entry else {
                    throw PluginError(.notFound, "the bucket '\(self.bucket.name)' has no \(path.shown) any more")
                }
                return now
            })
    }

    /// The object of a path; `nil` when there is none.
    func look(_ path: ItemPath) async throws(PluginError) -> (entry: Entry, etag: String?)? {
        var request = try bucket.request(
            "HEAD", key: bucket.prefix + path.bytes, purpose: "cannot look at \(path.shown)")
        request.accepted = { $0 == 200 || $0 == 404 }
        let (head, _) = try await client.collect(request)
        guard head.status == 200 else { return nil }
        var entry = Entry(name: path.name, kind: .file, size: head.contentLength, modified: head.modified)
        entry.etag = head.etag
        entry.contentType = head.value("content-type")
        return (entry, head.value("etag"))
    }

    /// A page of a folder, as it is sent.
    /// - Parameter token: where it begins.
    func listing(of folder: ItemPath, after token: String?, limit: Int) async throws(PluginError) -> [UInt8] {
        var query = [
            "list-type": Array("2".utf8), "delimiter": Array("/".utf8), "encoding-type": Array("url".utf8),
            "max-keys": Array("\(limit)".utf8), "prefix": prefix(of: folder),
        ]
        query["continuation-token"] = token.map { Array($0.utf8) }
        var request = try bucket.request("GET", query: query, purpose: "cannot list \(folder.shown)")
        request.maximumBytes = 16 << 20
        return try await client.collect(request).body
    }

    /// Reads a page.
    func page(_ listing: [UInt8], of folder: ItemPath) throws(PluginError) -> S3ListPage {
        try S3ListPage(listing, subject: "the listing of \(folder.shown)")
    }

    /// What the keys of a folder begin with.
    func prefix(of folder: ItemPath) -> [UInt8] {
        folder.isRoot ? bucket.prefix : bucket.prefix + folder.bytes + [UInt8(ascii: "/")]
    }
}

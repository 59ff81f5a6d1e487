import Synchronization
import Transfer
public import VitrineKit

/// What feeds point to: scheme `feed`, as `feed:https://host/path`; `feed://host/path` is the same.
///
/// - RSS 2.0, RSS 1.0 and Atom. Each entry with enclosures, media or pictures is a folder with its title and a mark that
///   stays; they are its files, with the entry's date.
/// - A feed is asked for again whenever it is listed, with the mark and the time of what is known of it.
/// - Files may lie on other servers of the web, but in this machine's own network only if the feed does, too. Redirects are
///   followed under the same rule. Credentials are sent to the feed's server alone.
/// - What an entry points to is told with its size only when it is opened, which is one request.
///
/// Settings are those of ``TransferPolicy``.
public final class FeedBackend: MeteredBackend {
    private let address: TransferURL
    private let purpose: String
    /// For the feed's own server, with the credentials.
    private let client: TransferClient
    /// For all others, without.
    private let strangers: TransferClient
    private let guardian: FeedGuard
    private let known = Mutex<Known?>(nil)

    private struct Known {
        var index: FeedIndex
        var etag: String?
        var modified: String?
    }

    /// Far more than a feed's pictures need on their way.
    private static let redirects = 5

    /// Reads the feed.
    public init(source: SourceURI, settings: BackendSettings) async throws(PluginError) {
        address = try Self.address(source)
        purpose = "cannot read the feed '\(address)'"
        let policy = try TransferPolicy(settings: settings, schemes: ["http", "https"])
        client = TransferClient(policy, name: address.server)
        var open = policy
        open.credentials = .none
        strangers = TransferClient(open, name: "the servers that the feed of '\(address.server)' points to")
        guardian = FeedGuard(isInside: await FeedGuard.isInside(address))
        _ = try await refresh()
    }

    private static func address(_ source: SourceURI) throws(PluginError) -> TransferURL {
        let rest = source.text.dropFirst("feed:".count)
        let url = try TransferURL(rest.hasPrefix("//") ? "https:" + rest : String(rest))
        guard source.scheme == "feed", url.scheme == "https" || url.scheme == "http" else {
            throw PluginError(
                .invalidArgument, "'\(DisplayText.of(source.text))' is no feed: write feed:https://host/path")
        }
        return url
    }

    /// What was asked for since the beginning.
    public var traffic: Traffic {
        let (own, others) = (client.traffic, strangers.traffic)
        return Traffic(
            requests: own.requests + others.requests, retries: own.retries + others.retries,
            bytesReceived: own.bytesReceived + others.bytesReceived, time: own.time + others.time)
    }

    /// Lists the entries, for which the feed is asked again, or the files of one.
    public func list(_ folder: ItemPath) -> any AsyncSequence<[Entry], PluginError> & Sendable {
        FeedListing(backend: self, folder: folder)
    }

    /// What a path is, as the feed said when it was last read.
    public func stat(_ path: ItemPath) async throws(PluginError) -> Entry {
        if path.isRoot { return Entry(name: [], kind: .folder) }
        let index = try await index()
        if let folder = index.folder(path) { return folder.entry }
        if let file = index.file(path) { return file.entry }
        throw PluginError(.notFound, "\(path.shown) is not in the feed '\(address)'")
    }

    /// Asks the file's server how long it is.
    public func open(_ path: ItemPath) async throws(PluginError) -> any ByteSource {
        let listed = try await stat(path)
        guard let file = try await index().file(path) else {
            throw PluginError(.notAFile, "\(path.shown) is an entry of a feed, not a file")
        }
        return try await look(at: file.url, path, listed)
    }

    /// The entries of a folder.
    func entries(of folder: ItemPath) async throws(PluginError) -> [Entry] {
        if folder.isRoot { return try await refresh().folders.map(\.entry) }
        let index = try await index()
        if let found = index.folder(folder) { return found.files.map(\.entry) }
        throw index.file(folder) == nil
            ? PluginError(.notFound, "'\(folder)' is not in the feed '\(address)'")
            : PluginError(.notAFile, "'\(folder)' is a file, not a folder")
    }

    private func index() async throws(PluginError) -> FeedIndex {
        if let index = known.withLock({ $0?.index }) { return index }
        return try await refresh()
    }

    /// Asks for the feed, unless it is what it was.
    private func refresh() async throws(PluginError) -> FeedIndex {
        let before = known.withLock { $0 }
        var request = TransferRequest(address, purpose: purpose)
        request.maximumBytes = FeedReader.longestFeed
        if let etag = before?.etag { request.set("If-None-Match", etag) }
        if let modified = before?.modified { request.set("If-Modified-Since", modified) }
        let (head, body, url) = try await following(request, isFeed: true) {
            $0 == 200 || ($0 == 304 && before != nil)
        } body: {
            client, request throws(PluginError) in
            try await client.collect(request)
        }
        if head.status == 304, let before { return before.index }
        let entries = try FeedReader.read(body, "the feed '\(address)'")
        let index = FeedIndex(entries, base: url, guardian: guardian)
        let etag = head.value("etag")
        let modified = head.value("last-modified")
        known.withLock { $0 = Known(index: index, etag: etag, modified: modified) }
        return index
    }

    /// Finds out where a file is by now, and how long.
    private func look(
        at url: TransferURL, _ path: ItemPath, _ listed: Entry
    ) async throws(PluginError) -> FeedFile {
        let purpose = "cannot read \(path.shown)"
        var request = TransferRequest(url, purpose: purpose)
        request.set("Range", "bytes=0-0")
        request.maximumBytes = .max
        let (head, _, found) = try await following(request) {
            $0 == 206 || $0 == 200 || $0 == 416
        } body: {
            client, request throws(PluginError) in
            // The rest of an answer without ranges is left where it is.
            (try await client.send(request).head, [])
        }
        // What has no first byte is empty.
        let size = head.status == 206 ? head.contentRange?.size : head.status == 200 ? head.contentLength : 0
        var entry = listed
        entry.size = size
        // What is kept of it is kept of this version, which only its own server knows.
        entry.etag = "\(listed.etag ?? "") \(head.etag ?? "") \(head.modified?.seconds ?? 0)"
        if entry.modified == nil { entry.modified = head.modified }
        var inner = Entry(name: listed.name, kind: .file, size: size, modified: head.modified)
        inner.etag = head.etag
        let guardian = guardian
        let content = HTTPFile(
            entry: inner, strongTag: head.value("etag"), client: client(for: found),
            request: { headers in
                var request = TransferRequest(found, purpose: purpose)
                request.headers = headers
                request.followsRedirects = false
                request.configure = { guardian.configure($0) }
                return request
            },
            now: { () throws(PluginError) in try await self.look(at: url, path, listed).version })
        return FeedFile(entry: entry, version: inner, content: content)
    }

    /// Sends a request, and follows where it is sent to.
    private func following(
        _ original: TransferRequest, isFeed: Bool = false, accepted: @escaping @Sendable (Int) -> Bool,
        body: (TransferClient, TransferRequest) async throws(PluginError) -> (head: ResponseHead, body: [UInt8])
    ) async throws(PluginError) -> (ResponseHead, [UInt8], TransferURL) {
        var request = original
        let guardian = guardian
        request.followsRedirects = false
        request.configure = { isFeed ? guardian.configureFeed($0) : guardian.configure($0) }
        request.accepted = { accepted($0) || Self.isRedirect($0) }
        for _ in 0...Self.redirects {
            try await guardian.check(request.url, request.purpose)
            let (head, bytes) = try await body(client(for: request.url), request)
            guard Self.isRedirect(head.status), let location = head.value("location") else {
                return (head, bytes, request.url)
            }
            guard let next = try? TransferURL(location, relativeTo: request.url) else {
                throw PluginError(
                    .forbidden, "\(request.purpose): '\(request.url.server)' points to what is no address of the web")
            }
            request.url = next
        }
        throw PluginError(.io, "\(original.purpose): '\(request.url.server)' points elsewhere again and again")
    }

    private static func isRedirect(_ status: Int) -> Bool { [301, 302, 303, 307, 308].contains(status) }

    private func client(for url: TransferURL) -> TransferClient { address.trusts(url) ? client : strangers }
}

/// A file that a feed points to.
struct FeedFile: ByteSource {
    let entry: Entry
    /// What its server says of it.
    let version: Entry
    let content: HTTPFile

    var isPinned: Bool { content.isPinned }

    func read(at offset: Int64, count: Int) async throws(PluginError) -> [UInt8] {
        try await content.read(at: offset, count: count)
    }

    func current() async throws(PluginError) -> Entry {
        let now = try await content.current()
        guard now.differs(from: version) else { return entry }
        var changed = entry
        (changed.size, changed.etag, changed.modified) = (now.size, now.etag ?? "changed", now.modified)
        return changed
    }
}

/// The entries of a feed, or the files of one, as pages.
struct FeedListing: AsyncSequence, Sendable {
    let backend: FeedBackend
    let folder: ItemPath

    struct AsyncIterator: AsyncIteratorProtocol {
        let backend: FeedBackend
        let folder: ItemPath
        private var waiting: ArraySlice<Entry>?

        init(_ listing: FeedListing) {
            backend = listing.backend
            folder = listing.folder
        }

        mutating func next(isolation actor: isolated (any Actor)? = #isolation) async throws(PluginError) -> [Entry]? {
            let entries: ArraySlice<Entry>
            if let waiting { entries = waiting } else { entries = try await backend.entries(of: folder)[...] }
            waiting = entries.dropFirst(500)
            return entries.isEmpty ? nil : Array(entries.prefix(500))
        }
    }

    func makeAsyncIterator() -> AsyncIterator { AsyncIterator(self) }
}

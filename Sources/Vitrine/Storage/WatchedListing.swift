import VitrineKit

/// A folder's pages, each of which must come in time.
struct WatchedListing: AsyncSequence, Sendable {
    private let pages: any PageSource
    private let watch: CallWatch
    private let folder: String

    init(_ pages: any AsyncSequence<[Entry], PluginError> & Sendable, of folder: ItemPath, _ watch: CallWatch) {
        self.pages = Self.source(pages)
        self.watch = watch
        self.folder = DisplayText.of(folder.bytes)
    }

    struct AsyncIterator: AsyncIteratorProtocol {
        fileprivate let pages: any PageSource
        fileprivate let watch: CallWatch
        fileprivate let folder: String

        mutating func next(
            isolation actor: isolated (any Actor)? = #isolation
        ) async throws(PluginError) -> [Entry]? {
            let pages = pages
            return try await watch.run("listing the folder '\(folder)'") { () async throws(PluginError) in
                try await pages.next()
            }
        }
    }

    func makeAsyncIterator() -> AsyncIterator { AsyncIterator(pages: pages, watch: watch, folder: folder) }

    private static func source<S: AsyncSequence<[Entry], PluginError> & Sendable>(_ pages: S) -> any PageSource {
        Pages(pages)
    }
}

/// The pages of one listing, one after the other.
private protocol PageSource: Sendable {
    func next() async throws(PluginError) -> [Entry]?
}

/// Keeps the iterator, which may not leave its place while a call on it is under way.
private actor Pages<Listing: AsyncSequence<[Entry], PluginError> & Sendable>: PageSource {
    private let listing: Listing
    private var iterator: Listing.AsyncIterator?

    init(_ listing: Listing) { self.listing = listing }

    func next() async throws(PluginError) -> [Entry]? {
        var iterator = self.iterator ?? listing.makeAsyncIterator()
        let page = try await iterator.next(isolation: self)
        self.iterator = iterator
        return page
    }
}

import Synchronization
import VitrineKit

/// A folder's pages, each of which must come in time.
struct WatchedListing: AsyncSequence, Sendable {
    private let pages: any PageSource
    private let watch: CallWatch
    private let folder: String
    private let refusal: PluginError?

    /// Pages without entries, one after the other, after which a backend is not believed that there is an end: one that takes
    /// them for it would be asked for ever.
    static let mostEmptyPages = 1000

    /// - Parameter refusal: why nothing is asked for. Default: nothing stands against it.
    init(
        _ pages: any AsyncSequence<[Entry], PluginError> & Sendable, of folder: ItemPath, _ watch: CallWatch,
        refusal: PluginError? = nil
    ) {
        self.watch = watch
        self.refusal = refusal
        self.folder = DisplayText.of(folder.bytes)
        self.pages = Self.source(pages)
    }

    struct AsyncIterator: AsyncIteratorProtocol, Sendable {
        fileprivate let pages: any PageSource
        fileprivate let watch: CallWatch
        fileprivate let folder: String
        fileprivate let refusal: PluginError?

        mutating func next(
            isolation actor: isolated (any Actor)? = #isolation
        ) async throws(PluginError) -> [Entry]? {
            if let refusal { throw refusal }
            let pages = pages
            // Each has a deadline of its own.
            for _ in 0..<WatchedListing.mostEmptyPages {
                let page = try await watch.run("listing the folder '\(folder)'") { () async throws(PluginError) in
                    try await pages.next()
                }
                guard let page else { return nil }
                if !page.isEmpty { return page }
            }
            throw PluginError(
                .invalidAnswer,
                "the backend lists page after page without entries of the folder '\(folder)'; only 'nil' ends a listing"
            )
        }
    }

    func makeAsyncIterator() -> AsyncIterator {
        AsyncIterator(pages: pages, watch: watch, folder: folder, refusal: refusal)
    }

    private static func source<S: AsyncSequence<[Entry], PluginError> & Sendable>(_ pages: S) -> any PageSource {
        ReadAhead(Pages(pages))
    }
}

/// The pages of one listing, one after the other.
private protocol PageSource: Sendable {
    func next() async throws(PluginError) -> [Entry]?
}

/// Asks for a page while the one before it is being worked on, once somebody has shown that one is not enough. Who lets
/// go of it lets go of that page, too.
private final class ReadAhead<Listing: AsyncSequence<[Entry], PluginError> & Sendable>: PageSource {
    private typealias Answer = Result<[Entry]?, PluginError>

    private let pages: Pages<Listing>
    private let state = Mutex<(given: Int, ahead: Task<Answer, Never>?)>((0, nil))

    init(_ pages: Pages<Listing>) { self.pages = pages }

    deinit { state.withLock { $0.ahead?.cancel() } }

    func next() async throws(PluginError) -> [Entry]? {
        let ahead = state.withLock { state in
            defer { state.ahead = nil }
            return state.ahead
        }
        let page: [Entry]?
        if let ahead {
            page = try await withTaskCancellationHandler {
                await ahead.value
            } onCancel: {
                ahead.cancel()
            }.get()
        } else {
            page = try await pages.next()
        }
        guard page != nil else { return nil }
        state.withLock { [pages] state in
            state.given += 1
            guard state.given > 1 else { return }
            state.ahead = Task {
                do throws(PluginError) { return .success(try await pages.next()) } catch { return .failure(error) }
            }
        }
        return page
    }
}

/// Keeps the iterator, which may not leave its place while a call on it is under way.
private actor Pages<Listing: AsyncSequence<[Entry], PluginError> & Sendable> {
    private let listing: Listing
    private var iterator: Listing.AsyncIterator?

    init(_ listing: Listing) { self.listing = listing }

    func next() async throws(PluginError) -> [Entry]? {
        var iterator = self.iterator ?? listing.makeAsyncIterator()
        defer { self.iterator = iterator }
        return try await iterator.next(isolation: self)
    }
}

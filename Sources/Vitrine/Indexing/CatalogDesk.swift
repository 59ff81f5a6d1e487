import Catalog
import Synchronization
import VitrineKit

/// Opens the catalog when it is first needed, and a new one when it turns out to be damaged.
final class CatalogDesk: Sendable {
    private let path: String?
    private let opened = Mutex<Catalog?>(nil)
    private let hasNews = Mutex(false)
    /// Where it is asked, and opened.
    let thread = CatalogThread()

    /// - Parameter path: of the file; `nil` when there shall be none.
    init(path: String?) { self.path = path }

    /// Whether there shall be one.
    var isWanted: Bool { path != nil }

    /// The catalog; `nil` when there shall be none.
    /// - Throws: why it cannot be used.
    func catalog() throws(PluginError) -> Catalog? {
        guard let path else { return nil }
        return try opened.withLock { opened throws(PluginError) in
            if let opened { return opened }
            let (catalog, opening) = try Catalog.open(at: path)
            if case .replaced = opening { hasNews.withLock { $0 = true } }
            opened = catalog
            return catalog
        }
    }

    /// Whether a catalog was so damaged that a new one was opened in its place; said once.
    func takeNews() -> Bool {
        hasNews.withLock { hasNews in
            defer { hasNews = false }
            return hasNews
        }
    }

    /// What is said then.
    static let news = "the catalog was damaged; a new one was made from the sources and the cache"

    /// Puts a new catalog in the place of one that is damaged, unless another process did. Nothing is lost that a run
    /// does not find out again.
    /// - Returns: whether somebody deleted or replaced it before, so that nothing says that it was damaged.
    @discardableResult func replace() throws(PluginError) -> Bool {
        try opened.withLock { opened throws(PluginError) in
            let wasDeleted = opened?.isReplaced ?? false
            // One that could not even be opened was judged by Catalog.open.
            if let damaged = opened { try Catalog.removeDamaged(damaged) }
            opened = nil
            return wasDeleted
        }
    }
}

/// One level of a tree over ids.
struct IdentifierListing: AsyncSequence, Sendable {
    let tree: IdentifierTree
    let folder: ItemPath

    struct AsyncIterator: AsyncIteratorProtocol {
        let tree: IdentifierTree
        let folder: ItemPath
        private var entries: ArraySlice<Entry>?

        init(_ listing: IdentifierListing) {
            tree = listing.tree
            folder = listing.folder
        }

        private static let pageLength = 1000

        mutating func next(isolation actor: isolated (any Actor)? = #isolation) async throws(PluginError) -> [Entry]? {
            var rest = if let entries { entries } else { try await tree.entries(of: folder)[...] }
            let page = Array(rest.prefix(Self.pageLength))
            rest = rest.dropFirst(page.count)
            entries = rest
            return page.isEmpty ? nil : page
        }
    }

    func makeAsyncIterator() -> AsyncIterator { AsyncIterator(self) }
}

import VitrineKit

/// One level of a folder, as pages.
struct FolderListing: AsyncSequence, Sendable {
    let root: RootFolder
    let folder: ItemPath

    struct AsyncIterator: AsyncIteratorProtocol {
        let root: RootFolder
        let folder: ItemPath
        private var reader: FolderReader?

        init(root: RootFolder, folder: ItemPath) {
            self.root = root
            self.folder = folder
        }

        mutating func next(
            isolation actor: isolated (any Actor)? = #isolation
        ) async throws(PluginError) -> [Entry]? {
            let reader: FolderReader
            if let known = self.reader {
                reader = known
            } else {
                let (root, folder) = (root, folder)
                reader = try await Blocking.run { () throws(PluginError) in try FolderReader(root, folder) }
                self.reader = reader
            }
            let page = try await Blocking.run { () throws(PluginError) in try reader.page() }
            return page.isEmpty ? nil : page
        }
    }

    func makeAsyncIterator() -> AsyncIterator { AsyncIterator(root: root, folder: folder) }
}

import Transfer
import VitrineKit

/// One level of a folder, read as the server sends it.
struct DAVListing: AsyncSequence, Sendable {
    let backend: WebDAVBackend
    let folder: ItemPath

    struct AsyncIterator: AsyncIteratorProtocol {
        let backend: WebDAVBackend
        let folder: ItemPath
        private var body: TransferBody?
        private var reader: MultiStatusReader
        /// Entries that were read and not handed out.
        private var waiting: ArraySlice<Entry> = []
        private var hasItself = false
        private var isAtEnd = false

        init(_ listing: DAVListing) {
            backend = listing.backend
            folder = listing.folder
            reader = MultiStatusReader("the listing of '\(listing.folder)'")
        }

        /// Most folders are shorter: a connection that breaks costs them only time.
        private static let awaitedBytes = 4 << 20
        private static let pageLength = 1000

        mutating func next(
            isolation actor: isolated (any Actor)? = #isolation
        ) async throws(PluginError) -> [Entry]? {
            while waiting.count < Self.pageLength, !isAtEnd {
                let body = if let body { body } else { try await Self.begin(folder, backend) }
                self.body = body
                let part = try await body.next()
                for response in try reader.responses(from: part) {
                    if let entry = try entry(of: response) { waiting.append(entry) }
                }
                isAtEnd = part == nil
            }
            // A server that did not tell of the folder may have told of another.
            guard hasItself || !isAtEnd else {
                throw PluginError(
                    .io, "the listing of \(folder.shown) does not tell of the folder itself: it is not believed")
            }
            let page = Array(waiting.prefix(Self.pageLength))
            waiting = waiting.dropFirst(page.count)
            return page.isEmpty ? nil : page
        }

        private static func begin(
            _ folder: ItemPath, _ backend: WebDAVBackend
        ) async throws(PluginError) -> TransferBody {
            var request = try backend.propfind(folder, depth: 1, purpose: "cannot list \(folder.shown)", isFolder: true)
            request.maximumBytes = 1 << 30
            request.awaitedBytes = Self.awaitedBytes
            do throws(PluginError) {
                return try await backend.client.send(request).body
            } catch  where error.code != .cancelled && error.code != .unauthorized {
                // With a slash at its end a file is nothing, or whatever a server makes of it.
                if (try? await backend.stat(folder))?.kind == .file { throw notAFolder(folder) }
                throw error
            }
        }

        private mutating func entry(of response: DAVResponse) throws(PluginError) -> Entry? {
            switch try backend.root.name(of: response, in: folder) {
            case .itself:
                try response.check(folder)
                guard response.isFolder else { throw Self.notAFolder(folder) }
                hasItself = true
                return nil
            case .child(let name):
                // It went away while the folder was listed.
                if response.status == 404 || response.status == 410 { return nil }
                try response.check(try folder.appending(name))
                return response.entry(named: name)
            }
        }

        private static func notAFolder(_ folder: ItemPath) -> PluginError {
            PluginError(.notAFile, "\(folder.shown) is a file, not a folder")
        }
    }

    func makeAsyncIterator() -> AsyncIterator { AsyncIterator(self) }
}

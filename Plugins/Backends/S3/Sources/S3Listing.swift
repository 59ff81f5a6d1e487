import Transfer
import VitrineKit

/// One level of a folder; each answer of the server is a page.
struct S3Listing: AsyncSequence, Sendable {
    let backend: S3Backend
    let folder: ItemPath

    struct AsyncIterator: AsyncIteratorProtocol {
        let backend: S3Backend
        let folder: ItemPath
        private var token: String?
        private var isAtEnd = false
        /// Whether a key of the folder was seen, be it the mark of an empty one.
        private var isThere = false
        private var pages = 0
        /// Objects that a folder of the same name may follow on the next page: names that the last key begins with.
        private var held: [Entry] = []

        /// Ten million keys: no folder has them, but a server that never ends would go on.
        private static let longest = 10_000

        init(_ listing: S3Listing) {
            backend = listing.backend
            folder = listing.folder
        }

        mutating func next(
            isolation actor: isolated (any Actor)? = #isolation
        ) async throws(PluginError) -> [Entry]? {
            while !isAtEnd {
                let page = try await backend.page(of: folder, after: token, limit: 1000)
                pages += 1
                guard page.token == nil || page.token != token, pages < Self.longest else {
                    throw PluginError(.io, "the listing of '\(folder)' does not end: the server cannot be trusted")
                }
                token = page.token
                isAtEnd = token == nil
                let entries = try entries(of: page)
                if !entries.isEmpty { return entries }
            }
            try await checkThere()
            return nil
        }

        /// A folder is there when a key begins with it. What is empty may be nothing at all, or a file.
        private mutating func checkThere() async throws(PluginError) {
            guard !isThere, !(folder.isRoot && backend.bucket.prefix.isEmpty) else { return }
            let (backend, folder) = (backend, folder)
            if !folder.isRoot, try await backend.look(folder) != nil {
                throw PluginError(.notAFile, "'\(folder)' is a file, not a folder")
            }
            throw PluginError(.notFound, "the bucket '\(backend.bucket.name)' has no '\(folder)'")
        }

        private mutating func entries(of page: S3ListPage) throws(PluginError) -> [Entry] {
            let prefix = backend.prefix(of: folder)
            isThere = isThere || !page.objects.isEmpty || !page.prefixes.isEmpty
            var folders: [Entry] = []
            for whole in page.prefixes {
                guard whole.last == UInt8(ascii: "/") else { throw strange(whole) }
                if let name = try name(Array(whole.dropLast()), prefix) {
                    folders.append(Entry(name: name, kind: .folder))
                }
            }
            var files = held
            for object in page.objects where object.key != prefix {
                guard let name = try name(object.key, prefix) else { continue }
                var entry = Entry(name: name, kind: .file, size: object.size, modified: object.modified)
                entry.etag = object.etag
                files.append(entry)
            }
            let taken = Set(folders.map(\.name))
            let count = files.count
            files.removeAll { taken.contains($0.name) }
            for _ in files.count..<count { backend.leaveOut() }
            held = []
            if !isAtEnd {
                let names = (files.map(\.name) + folders.map(\.name))
                let last = names.max { $0.lexicographicallyPrecedes($1) } ?? []
                held = files.filter { last.starts(with: $0.name) }
                files.removeAll { last.starts(with: $0.name) }
            }
            return folders + files
        }

        /// The name below the folder; `nil` when no path leads there.
        private func name(_ key: [UInt8], _ prefix: [UInt8]) throws(PluginError) -> [UInt8]? {
            guard key.starts(with: prefix), !key.dropFirst(prefix.count).contains(UInt8(ascii: "/")) else {
                throw strange(key)
            }
            let name = Array(key.dropFirst(prefix.count))
            guard (try? folder.appending(name)) != nil else {
                backend.leaveOut()
                return nil
            }
            return name
        }

        private func strange(_ key: [UInt8]) -> PluginError {
            PluginError(
                .io,
                "'\(backend.bucket.base.server)' lists '\(DisplayText.of(key.prefix(200)))' in '\(folder)', where it does not "
                    + "lie: the server cannot be trusted")
        }
    }

    func makeAsyncIterator() -> AsyncIterator { AsyncIterator(self) }
}

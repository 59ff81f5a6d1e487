import Glibc
import Transfer
import VitrineKit

/// One level of a folder; each answer of the server is a page. Who asks for a second one will ask for the others, too: from
/// there on the server makes the next page while this one is read.
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
        private var ahead: S3PageAhead?
        /// Whether the server's pages begin where they seem to: after one wrong guess there is no other.
        private var canGuess = true

        /// Ten million keys: no folder has them, but a server that never ends would go on.
        private static let longest = 10_000
        /// Keys and prefixes of one page: the server is asked for no more, and more are not taken.
        private static let limit = 1000
        /// More objects are not held back: a key is no longer than this, and each of its beginnings is one name.
        private static let mostHeld = 1024

        init(_ listing: S3Listing) {
            backend = listing.backend
            folder = listing.folder
        }

        mutating func next(
            isolation actor: isolated (any Actor)? = #isolation
        ) async throws(PluginError) -> [Entry]? {
            while !isAtEnd {
                let listing = try await listing()
                pages += 1
                let page = try backend.page(listing, of: folder)
                guard page.objects.count + page.prefixes.count <= Self.limit else {
                    throw untrusted("lists more than \(Self.limit) names of \(folder.shown) in one answer")
                }
                guard page.token == nil || page.token != token, pages < Self.longest else {
                    throw PluginError(.io, "the listing of \(folder.shown) does not end: the server cannot be trusted")
                }
                token = page.token
                if let early = ahead, early.token != token {
                    ahead = nil
                    canGuess = false
                }
                isAtEnd = token == nil
                let entries = try entries(of: page)
                if !entries.isEmpty { return entries }
            }
            try await checkThere()
            return nil
        }

        /// The page that begins at ``token``, as it is sent.
        private mutating func listing() async throws(PluginError) -> [UInt8] {
            let early = ahead
            ahead = nil
            let (backend, folder, token, limit) = (backend, folder, token, Self.limit)
            let listing: [UInt8]
            if let early {
                listing = try await early.body()
            } else {
                listing = try await backend.listing(of: folder, after: token, limit: limit)
            }
            if canGuess, pages > 0, pages + 1 < Self.longest, let next = S3PageAhead.likelyToken(in: listing),
                next != token
            {
                ahead = S3PageAhead(of: folder, after: next, limit: limit, backend)
            }
            return listing
        }

        /// A folder is there when a key begins with it. What is empty may be nothing at all, or a file.
        private mutating func checkThere() async throws(PluginError) {
            guard !isThere, !(folder.isRoot && backend.bucket.prefix.isEmpty) else { return }
            let (backend, folder) = (backend, folder)
            if !folder.isRoot, try await backend.look(folder) != nil {
                throw PluginError(.notAFile, "\(folder.shown) is a file, not a folder")
            }
            throw backend.bucket.missing(folder)
        }

        private mutating func entries(of page: S3ListPage) throws(PluginError) -> [Entry] {
            let prefix = backend.prefix(of: folder)
            isThere = isThere || !page.objects.isEmpty || !page.prefixes.isEmpty
            var folders: [Entry] = []
            for whole in page.prefixes {
                guard whole.last == UInt8(ascii: "/") else { throw strange(whole) }
                if let name = try name(Array(whole.dropLast()), prefix, shown: whole) {
                    folders.append(Entry(name: name, kind: .folder))
                }
            }
            var files = held
            files.reserveCapacity(held.count + page.objects.count)
            for object in page.objects where object.key != prefix {
                guard let name = try name(object.key, prefix) else { continue }
                var entry = Entry(name: name, kind: .file, size: object.size)
                entry.modified = object.modified.map { Timestamp(seconds: $0) }
                entry.etag = object.etag
                files.append(entry)
            }
            if !folders.isEmpty {
                let taken = Set(folders.map(\.name))
                files.removeAll { file in
                    guard taken.contains(file.name) else { return false }
                    backend.omitted.add(prefix + file.name, "has the name of a folder, which is listed in its place")
                    return true
                }
            }
            held = []
            if !isAtEnd { try hold(&files, before: folders) }
            return folders + files
        }

        /// Keeps back what a folder of the same name may follow.
        private mutating func hold(_ files: inout [Entry], before folders: [Entry]) throws(PluginError) {
            var last: [UInt8] = []
            func take(_ name: [UInt8]) { if last.precedes(name) { last = name } }
            for file in files { take(file.name) }
            for folder in folders { take(folder.name) }
            var names: Set<[UInt8]> = []
            held = files.filter { last.begins(with: $0.name) && names.insert($0.name).inserted }
            guard held.count <= Self.mostHeld else {
                throw untrusted("lists names of \(folder.shown) that are longer than keys can be")
            }
            if !held.isEmpty { files.removeAll { last.begins(with: $0.name) } }
        }

        /// The name below the folder; `nil` when no path leads there.
        /// - Parameter shown: what is told of then. Default: the key.
        private func name(
            _ key: [UInt8], _ prefix: [UInt8], shown: [UInt8]? = nil
        ) throws(PluginError) -> [UInt8]? {
            guard key.begins(with: prefix) else { throw strange(key) }
            let name = Array(key[prefix.count...])
            guard !name.contains(UInt8(ascii: "/")) else { throw strange(key) }
            guard (try? ItemPath.root.appending(name)) != nil else {
                backend.omitted.add(
                    shown ?? key,
                    "is no path: a part of the key is empty, '.', '..' or holds a NUL byte; rename what begins so")
                return nil
            }
            return name
        }

        private func strange(_ key: [UInt8]) -> PluginError {
            untrusted("lists '\(DisplayText.of(key.prefix(200)))' in \(folder.shown), where it does not lie")
        }

        private func untrusted(_ deed: String) -> PluginError {
            PluginError(.io, "'\(backend.bucket.base.server)' \(deed): the server cannot be trusted")
        }
    }

    func makeAsyncIterator() -> AsyncIterator { AsyncIterator(self) }
}

// As the standard library does, in one look: a listing asks that of every key.
extension [UInt8] {
    fileprivate func begins(with other: [UInt8]) -> Bool {
        count >= other.count && memcmp(self, other, other.count) == 0
    }

    fileprivate func precedes(_ other: [UInt8]) -> Bool {
        let order = memcmp(self, other, Swift.min(count, other.count))
        return order == 0 ? count < other.count : order < 0
    }
}

import Transfer
import VitrineKit

/// One level of a folder, as the server tells it. Where a connection breaks, another one begins anew, and what came before
/// is not told again.
struct SFTPListing: AsyncSequence, Sendable {
    let backend: SFTPBackend
    let folder: ItemPath

    /// More names than any folder has: a server that goes on telling is at fault.
    static let longest = 1 << 20

    struct AsyncIterator: AsyncIteratorProtocol {
        let backend: SFTPBackend
        let folder: ItemPath
        private var open: OpenFolder?
        private var count = 0
        /// Hashes of the names that were told.
        private var told: Set<Int> = []

        init(_ listing: SFTPListing) {
            backend = listing.backend
            folder = listing.folder
        }

        mutating func next(isolation actor: isolated (any Actor)? = #isolation) async throws(PluginError) -> [Entry]? {
            while true {
                let page = try await page()
                if page.isEmpty { return nil }
                let new = page.filter { told.insert($0.name.hashValue).inserted }
                if !new.isEmpty { return new }
            }
        }

        /// What the server tells next; none at the end.
        private mutating func page() async throws(PluginError) -> [Entry] {
            let (backend, folder, pool) = (backend, folder, backend.pool)
            var (open, count) = (open, count)
            let page = try await pool.client.retrying(pool.request("cannot list \(folder.shown)")) {
                () throws(TransferFailure) in
                let current: OpenFolder
                if let open {
                    current = open
                } else {
                    current = try await OpenFolder(folder, of: backend)
                    count = 0
                }
                open = nil
                let page = try await current.page()
                open = current
                return page
            }
            count += page.count
            (self.open, self.count) = (open, count)
            guard count <= SFTPListing.longest else {
                throw PluginError(
                    .limitExceeded,
                    "the listing of \(folder.shown) does not end: \(SFTPListing.longest) names were read")
            }
            return page
        }
    }

    func makeAsyncIterator() -> AsyncIterator { AsyncIterator(self) }
}

/// A folder that is being listed; ended with the last reference.
private final class OpenFolder: Sendable {
    private let folder: ItemPath
    private let backend: SFTPBackend
    private let connection: SFTPConnection
    private let number: UInt64
    /// The folder without links.
    private let place: [UInt8]

    private var doing: String { "cannot list \(folder.shown)" }

    init(_ folder: ItemPath, of backend: SFTPBackend) async throws(TransferFailure) {
        let (pool, doing, number) = (backend.pool, "cannot list \(folder.shown)", backend.pool.newNumber())
        let place = backend.place(of: folder)
        connection = pool.connection()
        self.place = try await pool.run(doing, on: connection) { link throws(TransferFailure) in
            try Self.begin(link, number, folder, place, doing)
        }
        self.folder = folder
        self.backend = backend
        self.number = number
    }

    deinit { connection.post { [number] in $0.closeFolder(number) } }

    /// The next entries; none at the end.
    func page() async throws(TransferFailure) -> [Entry] {
        let (doing, number, folder, place) = (doing, number, folder, place)
        return try await backend.pool.run(doing, on: connection) { link throws(TransferFailure) in
            var page: [Entry] = []
            for (name, found) in try link.page(of: number, doing) {
                page.append(try Self.entry(name, found, link, folder, place, doing))
            }
            return page
        }
    }

    private static func begin(
        _ link: SSHLink, _ number: UInt64, _ folder: ItemPath, _ place: [UInt8], _ doing: String
    ) throws(TransferFailure) -> [UInt8] {
        do throws(TransferFailure) {
            let found = folder.isRoot ? place : try link.canonical(place, doing)
            guard found == place || link.settings.followsLinks else {
                throw TransferFailure(
                    PluginError(
                        .notAFile,
                        "\(folder.shown) is a link, or lies behind one; links are followed only when the user asks"))
            }
            try link.openFolder(number, place, doing)
            return found
        } catch  where !error.isOfSource && error.error.code != .notAFile {
            // Servers say of a file that nothing is there, or only that it failed.
            if let kind = try? link.attributes(place, followsLinks: true, doing).kind, kind != .folder {
                throw TransferFailure(PluginError(.notAFile, "\(folder.shown) is not a folder"))
            }
            throw error
        }
    }

    private static func entry(
        _ name: [UInt8], _ found: FileAttributes, _ link: SSHLink, _ folder: ItemPath, _ place: [UInt8], _ doing: String
    ) throws(TransferFailure) -> Entry {
        let path: ItemPath
        do throws(PluginError) { path = try folder.appending(name) } catch {
            throw TransferFailure(
                PluginError(.io, "\(doing): '\(link.settings.server)' tells a name that is none: \(error.message)"))
        }
        guard found.kind == .link, link.settings.followsLinks else { return found.entry(named: name) }
        let there = place + [UInt8(ascii: "/")] + path.name
        do throws(TransferFailure) {
            let target = try link.attributes(there, followsLinks: true, doing)
            guard target.kind == .folder else { return target.entry(named: name) }
            // A walk that went back to where it came from would never end.
            let goal = try link.canonical(there, doing)
            let isAbove =
                goal == [UInt8(ascii: "/")] || (place + [UInt8(ascii: "/")]).starts(with: goal + [UInt8(ascii: "/")])
            return isAbove ? found.entry(named: name) : target.entry(named: name)
        } catch  where !error.isOfSource {
            // Its target is gone, or may not be looked at.
            return found.entry(named: name)
        }
    }
}

import CPlatform
import VitrineKit

/// A listing of a folder that has more entries than are held at once: the pages that were read, and those to come.
struct BegunListing: Sendable {
    /// Where those come from that were not read yet.
    private enum Rest {
        case storage(WatchedListing.AsyncIterator)
        /// The whole listing was read before; its pages lie on disk, from this one on.
        case spool(EntrySpool, next: Int)
    }

    /// Those that were read and not taken yet, the first one last.
    private var kept: [[Entry]]
    private var sum: EntryDigest
    private var rest: Rest

    /// - Parameters:
    ///   - kept: the pages that were read.
    ///   - sum: the digest of their entries.
    ///   - rest: gives those to come.
    init(_ kept: [[Entry]], _ sum: EntryDigest, _ rest: WatchedListing.AsyncIterator) {
        self.kept = kept.reversed()
        self.sum = sum
        self.rest = .storage(rest)
    }

    /// Begins a listing; nothing of it is read yet.
    init(_ listing: WatchedListing) { self.init([], EntryDigest(), listing.makeAsyncIterator()) }

    /// A listing that was read to its end.
    /// - Parameters:
    ///   - spool: all of its pages.
    ///   - sum: the digest of all entries.
    /// - Throws: `io` when the first page cannot be read.
    init(_ spool: EntrySpool, _ sum: EntryDigest) async throws(PluginError) {
        kept = spool.count > 0 ? [try await Self.page(0, of: spool)] : []
        self.sum = sum
        rest = .spool(spool, next: 1)
    }

    /// What is known of it so far.
    var seen: SeenEntries { SeenEntries(pages: kept, isAll: false) }

    /// The digest of all entries, once ``next()`` came to the end.
    var digest: FolderDigest { sum.value }

    /// The next page.
    /// - Returns: `nil` at the end.
    /// - Throws: what ended the listing.
    mutating func next() async throws(PluginError) -> [Entry]? {
        if let page = kept.popLast() { return page }
        switch rest {
        case .spool(let spool, let number):
            guard number < spool.count else { return nil }
            rest = .spool(spool, next: number + 1)
            return try await Self.page(number, of: spool)
        case .storage(var pages):
            defer { rest = .storage(pages) }
            guard let page = try await pages.next(isolation: nil) else { return nil }
            sum.add(page)
            return page
        }
    }

    private static func page(_ number: Int, of spool: EntrySpool) async throws(PluginError) -> [Entry] {
        try await AsideThread.run { Result { () throws(PluginError) in try spool.page(number) } }.get()
    }
}

extension FolderDigest {
    /// In place of that of the entries, where a folder of very many was passed over and nobody read them to the end.
    static let passedOver = FolderDigest(low: .max, high: .max)
}

/// A digest of entries, in whatever order they come.
struct EntryDigest: Sendable {
    private var low: UInt64 = 0
    private var high: UInt64 = 0

    mutating func add(_ page: [Entry]) {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(256)
        for entry in page {
            bytes.removeAll(keepingCapacity: true)
            Self.write(entry, into: &bytes)
            var hash: (UInt64, UInt64) = (0, 0)
            withUnsafeMutableBytes(of: &hash) { room in
                room.withMemoryRebound(to: UInt64.self) { vp_hash128(bytes, bytes.count, $0.baseAddress) }
            }
            low &+= hash.0
            high &+= hash.1
        }
    }

    /// What of an entry must be the same for a folder to be the same.
    private static func write(_ entry: Entry, into bytes: inout [UInt8]) {
        func add(_ number: UInt64) { withUnsafeBytes(of: number.littleEndian) { bytes.append(contentsOf: $0) } }
        add(UInt64(entry.kind.rawValue))
        add(entry.identifier ?? 0)
        add(entry.volume ?? 0)
        if entry.kind == .file {
            let modified = entry.modified
            add(UInt64(bitPattern: entry.size ?? -1))
            add(UInt64(bitPattern: modified?.seconds ?? .min))
            add(UInt64(modified?.nanoseconds ?? 0))
            var etag = entry.etag ?? ""
            etag.withUTF8 { bytes.append(contentsOf: $0) }
            bytes.append(0)
        }
        bytes.append(contentsOf: entry.name)
    }

    var value: FolderDigest { FolderDigest(low: low, high: high) }
}

import SQLite
public import VitrineKit

extension Catalog {
    /// Finds items, the best first: all words in the name, then in the title, then in the text; the newest first among
    /// equals.
    ///
    /// A name is found by any part of it, a text by its words, of which the last one of the query may be a beginning.
    /// Only what is indexed is found: see ``completeIndex(while:)``. Some milliseconds; a fraction of a second where
    /// much is to be looked through, such as all items for a size that few have.
    /// - Parameter query: what to look for.
    /// - Returns: at most ``FindQuery/limit`` items.
    public func find(_ query: FindQuery) throws(PluginError) -> [FoundItem] {
        do throws(PluginError) { return try search(query) } catch {
            guard error.code == .corrupt, !isReadOnly else { throw error }
            // If more than the indexes is damaged, this fails as well.
            try change { ledger throws(PluginError) in try ledger.forgetIndexes() }
            try completeIndex()
            return try search(query)
        }
    }

    private func search(_ query: FindQuery) throws(PluginError) -> [FoundItem] {
        try with { ledger throws(PluginError) in
            try ledger.database.snapshot { () throws(PluginError) in
                let finder = try Finder(ledger, query)
                var hits = try finder.named()
                if hits.count < finder.limit { hits += try finder.written(besides: Set(hits.map(\.id))) }
                return try hits.prefix(finder.limit).map { hit throws(PluginError) in try finder.found(hit) }
            }
        }
    }

    /// The number of an item; `nil` when the catalog does not know it.
    public func item(_ path: ItemPath, in source: SourceRecord) throws(PluginError) -> ItemID? {
        try with { ledger throws(PluginError) in
            var parts = path.bytes.split(separator: UInt8(ascii: "/")).map { Array($0) }
            guard let name = parts.popLast() else { return nil }
            var folder = source.root.rawValue
            for part in parts {
                let next = try ledger.database.first(
                    "SELECT id FROM folder WHERE parent = ? AND name = ?", .integer(folder), .bytes(part)
                ) { $0.integer(0) }
                guard let next else { return nil }
                folder = next
            }
            return try ledger.database.first(
                "SELECT id FROM item WHERE folder = ? AND name = ?", .integer(folder), .bytes(name)
            ) { ItemID(rawValue: $0.integer(0)) }
        }
    }

    /// Whether there is an item or a folder, or was one: what vanished is remembered until its grace time is over.
    public func hasSeen(_ path: ItemPath, in source: SourceRecord) throws(PluginError) -> Bool {
        try with { ledger throws(PluginError) in
            let root = source.root.rawValue
            if try ledger.isThere(path, below: root) { return true }
            if try ledger.knownFolder(path, below: root) != nil { return true }
            // What lay below: from its name with a slash to that with the sign after the slash.
            let slash = UInt8(ascii: "/")
            return try ledger.database.first(
                "SELECT 1 FROM gone WHERE source = ? AND (path = ? OR (path > ? AND path < ?)) LIMIT 1",
                .integer(source.id.rawValue), .bytes(path.bytes), .bytes(path.bytes + [slash]),
                .bytes(path.bytes + [slash + 1])
            ) { _ in true } ?? false
        }
    }
}

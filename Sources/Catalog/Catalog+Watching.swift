import SQLite
public import VitrineKit

extension Catalog {
    /// A folder right in another one; `nil` when the catalog does not know it.
    public func knownFolder(_ name: [UInt8], in folder: FolderRecord) throws(PluginError) -> FolderRecord? {
        let path = try folder.path.appending(name)
        return try with { ledger throws(PluginError) in
            try ledger.database.first(
                "SELECT \(CatalogLedger.folderColumns) FROM folder WHERE parent = ? AND name = ?",
                .integer(folder.id.rawValue), .bytes(name)
            ) { CatalogLedger.folder($0, path) }
        }
    }

    /// Whether an item is known at a place.
    public func holds(_ path: ItemPath, in source: SourceRecord) throws(PluginError) -> Bool {
        try with { ledger throws(PluginError) in try ledger.isThere(path, below: source.root.rawValue) }
    }

    /// Takes items for good that were seen to be deleted, before their grace time is over. Those that were found at
    /// another place meanwhile are there and stay.
    /// - Parameters:
    ///   - paths: where they lay.
    ///   - source: the source that they belonged to.
    ///   - since: when the first of them vanished, in seconds since 1970.
    /// - Returns: the items, whose previews can be deleted, but for those that something has the place of again.
    public func takeVanished(
        _ paths: Set<ItemPath>, of source: SourceRecord, since: Int64
    ) throws(PluginError) -> [RemovedItem] {
        try change { ledger throws(PluginError) in
            let rows = try ledger.database.rows(
                "SELECT id, path FROM gone WHERE source = ? AND since >= ?", .integer(source.id.rawValue),
                .integer(since)
            ) { row throws(PluginError) in (row.integer(0), try ItemPath(row.bytes(1))) }
            var removed: [RemovedItem] = []
            for (id, path) in rows where paths.contains(path) {
                let item = RemovedItem(
                    id: ItemID(rawValue: id), path: path, previews: try ledger.previews(of: id))
                try ledger.database.run("DELETE FROM preview WHERE item = ?", .integer(id))
                try ledger.database.run("DELETE FROM gone WHERE id = ?", .integer(id))
                try ledger.forgetDocument(of: id)
                if try !ledger.isThere(path, below: source.root.rawValue) { removed.append(item) }
            }
            return removed
        }
    }
}

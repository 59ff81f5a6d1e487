import SQLite
public import VitrineKit

extension Catalog {
    /// All sources, by URI.
    public func sources() throws(PluginError) -> [SourceRecord] {
        try with { ledger throws(PluginError) in
            try ledger.database.rows("SELECT \(CatalogLedger.sourceColumns) FROM source ORDER BY uri") {
                CatalogLedger.source($0)
            }
        }
    }

    /// A source; `nil` when the catalog does not know it.
    public func knownSource(_ uri: String) throws(PluginError) -> SourceRecord? {
        try with { ledger throws(PluginError) in try ledger.source(uri) }
    }

    /// A source, new when the catalog does not know it.
    /// - Parameter uri: its canonical URI.
    public func source(_ uri: String) throws(PluginError) -> SourceRecord {
        if let known = try knownSource(uri) { return known }
        return try change { ledger throws(PluginError) in
            if let known = try ledger.source(uri) { return known }
            let database = ledger.database
            try database.run("INSERT INTO source(uri, root) VALUES (?, 0)", .text(uri))
            let id = database.lastRow
            try database.run("INSERT INTO folder(source, parent, name) VALUES (?, NULL, x'')", .integer(id))
            let root = database.lastRow
            try database.run("UPDATE source SET root = ? WHERE id = ?", .integer(root), .integer(id))
            return SourceRecord(
                id: SourceID(rawValue: id), uri: uri, root: FolderID(rawValue: root), state: .new)
        }
    }

    /// Writes down how a look at a source went.
    /// - Parameters:
    ///   - state: how.
    ///   - reason: why it is not complete, a sentence.
    ///   - id: the source.
    ///   - now: seconds since 1970.
    public func note(
        _ state: SourceRecord.State, reason: String? = nil, of id: SourceID, now: Int64
    ) throws(PluginError) {
        try change { ledger throws(PluginError) in
            try ledger.database.run(
                "UPDATE source SET state = ?1, reason = ?2, checked = ?3, indexed = CASE ?1 WHEN 1 THEN ?3 ELSE indexed END "
                    + "WHERE id = ?4", .integer(state.rawValue), .text(reason), .integer(now), .integer(id.rawValue))
        }
    }

    /// How many items of a source ended how.
    public func counts(of id: SourceID) throws(PluginError) -> [ItemState: Int] {
        try with { ledger throws(PluginError) in
            let rows = try ledger.database.rows(
                "SELECT state, count(*) FROM item WHERE folder IN (SELECT id FROM folder WHERE source = ?) GROUP BY state",
                .integer(id.rawValue)
            ) { ($0.integer(0), Int($0.integer(1))) }
            var counts: [ItemState: Int] = [:]
            for (state, count) in rows { counts[ItemState(rawValue: state) ?? .pending, default: 0] += count }
            return counts
        }
    }

    /// Forgets a source and all of its items.
    /// - Parameters:
    ///   - id: the source.
    ///   - told: called with items, some hundred at a time, before they are forgotten.
    public func forget(_ id: SourceID, told: ([RemovedItem]) -> Void = { _ in }) throws(PluginError) {
        var folder: Int64 = 0
        while true {
            let from = folder
            let (batch, last) = try change { ledger throws(PluginError) in
                try ledger.removeItems(of: id.rawValue, from: from)
            }
            if batch.isEmpty { break }
            folder = last
            told(batch)
        }
        while true {
            let vanished = try change { ledger throws(PluginError) in
                try ledger.takeGone("source = ?", [.integer(id.rawValue)])
            }
            if vanished.isEmpty { break }
            told(vanished)
        }
        try change { ledger throws(PluginError) in
            let database = ledger.database
            try database.run(
                "DELETE FROM tally WHERE folder IN (SELECT id FROM folder WHERE source = ?)", .integer(id.rawValue))
            try database.run("DELETE FROM folder WHERE source = ?", .integer(id.rawValue))
            try database.run("DELETE FROM source WHERE id = ?", .integer(id.rawValue))
            ledger.forgetPaths()
        }
    }
}

/// An item that is no more, and the previews that it had.
public struct RemovedItem: Hashable, Sendable {
    /// Its number.
    public var id: ItemID
    /// Where it lay in its source.
    public var path: ItemPath
    /// The previews that were made of it.
    public var previews: [PreviewRecord]
}

/// A preview that the catalog knows of.
public struct PreviewRecord: Hashable, Sendable {
    /// The longest side in pixels.
    public var size: Int
    /// The page or moment, as keys of the cache are made of it; empty for the standard one.
    public var variant: String
    /// The first eight bytes of its name in the cache, to find out cheaply whether it is still there.
    public var key: UInt64

    /// Creates a record.
    public init(size: Int, variant: String = "", key: UInt64) {
        self.size = size
        self.variant = variant
        self.key = key
    }
}

extension CatalogLedger {
    static let sourceColumns = "id, uri, root, state, reason, indexed, checked"

    static func source(_ row: Statement) -> SourceRecord {
        SourceRecord(
            id: SourceID(rawValue: row.integer(0)), uri: row.text(1), root: FolderID(rawValue: row.integer(2)),
            state: SourceRecord.State(rawValue: row.integer(3)) ?? .new, reason: row.optionalText(4),
            indexed: row.optionalInteger(5), checked: row.optionalInteger(6))
    }

    func source(_ uri: String) throws(PluginError) -> SourceRecord? {
        try database.first("SELECT \(Self.sourceColumns) FROM source WHERE uri = ?", .text(uri)) { Self.source($0) }
    }

    /// Deletes some items of a source.
    /// - Parameter first: folders with a lower number are empty.
    /// - Returns: the items, and the folder to go on from.
    fileprivate func removeItems(
        of source: Int64, from first: Int64
    ) throws(PluginError) -> (items: [RemovedItem], last: Int64) {
        // Folders in the outer loop, by their number: no batch goes over what the ones before have emptied.
        let rows = try database.rows(
            "SELECT i.id, i.folder, i.name FROM folder f CROSS JOIN item i ON i.folder = f.id "
                + "WHERE f.source = ? AND f.id >= ? ORDER BY f.id LIMIT 500",
            .integer(source), .integer(first)
        ) { ($0.integer(0), $0.integer(1), $0.bytes(2)) }
        var removed: [RemovedItem] = []
        for (id, folder, name) in rows {
            let path = try path(folder, name)
            removed.append(
                RemovedItem(id: ItemID(rawValue: id), path: try ItemPath(path), previews: try previews(of: id)))
            try log(.removed, id, source: source, path: path)
            try deleteItem(id)
            try database.run("DELETE FROM preview WHERE item = ?", .integer(id))
        }
        return (removed, rows.last?.1 ?? first)
    }

    func previews(of item: Int64) throws(PluginError) -> [PreviewRecord] {
        try database.rows("SELECT size, variant, key FROM preview WHERE item = ?", .integer(item)) {
            PreviewRecord(size: Int($0.integer(0)), variant: $0.text(1), key: UInt64(bitPattern: $0.integer(2)))
        }
    }

    /// Deletes an item's row and what hangs on it, but for its previews.
    func deleteItem(_ id: Int64) throws(PluginError) {
        try database.run("DELETE FROM item WHERE id = ?", .integer(id))
        try database.run("DELETE FROM fact WHERE item = ?", .integer(id))
        try database.run("DELETE FROM failure WHERE item = ?", .integer(id))
    }
}

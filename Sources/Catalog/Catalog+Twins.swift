import SQLite
public import VitrineKit

extension Catalog {
    /// Items with previews whose size and first bytes are the same.
    /// - Parameters:
    ///   - size: bytes of content.
    ///   - head: a hash of the first bytes.
    ///   - item: this one is not told.
    /// - Returns: at most eight, those that vanished first.
    public func twins(size: Int64, head: UInt64, besides item: ItemID) throws(PluginError) -> [Twin] {
        try with { ledger throws(PluginError) in
            let values: [Value] = [
                .integer(size), .integer(Int64(bitPattern: head)), .integer(item.rawValue),
                .integer(ItemState.made.rawValue),
            ]
            // One statement, so that the file is locked and looked at once. Those that are gone come first.
            return try ledger.twins(
                """
                SELECT * FROM (
                SELECT g.id, s.uri, g.path, NULL, g.seconds, g.nanoseconds, g.content, t.name, r.name, r.version, r.title
                FROM gone g JOIN source s ON s.id = g.source LEFT JOIN type t ON t.id = g.type
                LEFT JOIN renderer r ON r.id = g.renderer
                WHERE g.size = ?1 AND g.head = ?2 AND g.id <> ?3 AND g.state = ?4 AND g.content IS NOT NULL LIMIT 4)
                UNION ALL SELECT * FROM (
                SELECT i.id, s.uri, i.name, i.folder, i.seconds, i.nanoseconds, i.content, t.name, r.name, r.version, r.title
                FROM item i JOIN folder f ON f.id = i.folder JOIN source s ON s.id = f.source
                LEFT JOIN type t ON t.id = i.type LEFT JOIN renderer r ON r.id = i.renderer
                WHERE i.size = ?1 AND i.head = ?2 AND i.id <> ?3 AND i.state = ?4 AND i.content IS NOT NULL LIMIT 4)
                """, values)
        }
    }

    /// Makes an item the one that vanished from another place, when their content turned out to be the same.
    /// - Returns: whether both were still there.
    public func adopt(gone old: ItemID, as new: ItemID) throws(PluginError) -> Bool {
        try change { ledger throws(PluginError) in
            let row = try ledger.database.first("SELECT source, path FROM gone WHERE id = ?", .integer(old.rawValue)) {
                ($0.integer(0), $0.bytes(1))
            }
            guard let (source, path) = row else { return false }
            try ledger.database.run("DELETE FROM gone WHERE id = ?", .integer(old.rawValue))
            try ledger.database.run("DELETE FROM preview WHERE item = ?", .integer(old.rawValue))
            try ledger.moveDocument(from: old.rawValue, to: new.rawValue)
            try ledger.log(return: new.rawValue, from: source, path)
            return true
        }
    }
}

extension CatalogLedger {
    fileprivate func twins(_ sql: String, _ values: [Value]) throws(PluginError) -> [Twin] {
        let statement = try database.statement(sql)
        try statement.bind(values)
        var found: [(Twin, folder: Int64?, place: [UInt8])] = []
        while try statement.step() {
            guard let content = FolderDigest(bytes: statement.bytes(6)) else { continue }
            var twin = Twin(
                id: ItemID(rawValue: statement.integer(0)), source: statement.text(1), path: .root,
                isGone: statement.isNull(3), content: content, type: statement.optionalText(7), previews: [])
            if let seconds = statement.optionalInteger(4) {
                twin.modified = Timestamp(seconds: seconds, nanoseconds: UInt32(clamping: statement.integer(5)))
            }
            if !statement.isNull(8) {
                twin.renderer = RendererRecord(
                    name: statement.text(8), version: statement.text(9), title: statement.text(10))
            }
            found.append((twin, statement.optionalInteger(3), statement.bytes(2)))
        }
        statement.reset()
        var twins: [Twin] = []
        for (twin, folder, place) in found {
            var twin = twin
            let path = if let folder { try self.path(folder, place) } else { place }
            twin.path = try ItemPath(path)
            twin.previews = try previews(of: twin.id.rawValue)
            twins.append(twin)
        }
        return twins
    }
}

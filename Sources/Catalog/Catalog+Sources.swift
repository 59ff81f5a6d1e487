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
            try ledger.note(state, reason, in: "source", "id = ?4", .integer(id.rawValue), now)
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

    /// Forgets a source and all of its items, or a part of it.
    /// - Parameters:
    ///   - source: the source.
    ///   - base: the folder of it that is forgotten, with all that is below it. Default: the whole source.
    ///   - others: folders that stay as they are known, with all that is below them.
    ///   - told: called with items, some hundred at a time, after they are forgotten.
    public func forget(
        _ source: SourceRecord, below base: ItemPath = .root, keeping others: [ItemPath] = [],
        told: ([RemovedItem]) -> Void = { _ in }
    ) throws(PluginError) {
        let kept = try knownFolders(others, in: source)
        let tree = try with { ledger throws(PluginError) in
            try ledger.knownFolder(base, in: source).map { top throws(PluginError) in
                try ledger.subtree(of: top, besides: kept)
            }
        }
        // Those above stay until all below them are gone: a process that ends on the way leaves no folder behind that
        // nobody finds.
        var left = tree?.folders ?? []
        while !left.isEmpty {
            let (batch, done) = try change { ledger throws(PluginError) in
                var batch: [RemovedItem] = []
                var done = 0
                for folder in left.reversed().prefix(Self.batch) where batch.count < Self.batch {
                    let items = try ledger.removeItems(in: folder, of: source.id.rawValue, limit: Self.batch)
                    batch += items
                    if items.count == Self.batch { break }
                    done += 1
                    if base.isRoot || done < left.count {
                        try ledger.delete(folder: folder, isPassage: tree?.passages.contains(folder) == true)
                    }
                }
                return (batch, done)
            }
            left.removeLast(done)
            if !batch.isEmpty { told(batch) }
        }
        try forgetVanished(from: source, below: base, besides: others, told: told)
        try change { ledger throws(PluginError) in
            let database = ledger.database
            ledger.forgetPaths()
            if base.isRoot, tree?.passages.isEmpty != false {
                try ledger.keepName(of: source)
                try database.run("DELETE FROM source WHERE id = ?", .integer(source.id.rawValue))
            } else if base.isRoot {
                try database.run(
                    "UPDATE source SET state = 0, reason = NULL, indexed = NULL, checked = NULL WHERE id = ?",
                    .integer(source.id.rawValue))
            } else if let top = tree?.folders.first {
                // The larger source finds it again, as something new.
                try ledger.forgetListing(of: top)
                try database.run("DELETE FROM tally WHERE folder = ?", .integer(top))
            }
        }
    }

    /// Forgets what vanished from a folder of a source, whenever that was.
    private func forgetVanished(
        from source: SourceRecord, below base: ItemPath, besides others: [ItemPath], told: ([RemovedItem]) -> Void
    ) throws(PluginError) {
        var last: Int64 = 0
        while true {
            let from = last
            let (vanished, upTo) = try change { ledger throws(PluginError) in
                let (text, values) = ledger.condition(below: base, besides: others)
                var upTo = from
                return (try ledger.takeGone(text, values, of: source.id.rawValue, after: &upTo), upTo)
            }
            last = upTo
            if vanished.isEmpty { return }
            told(vanished)
        }
    }

    /// How many items or folders are forgotten at once: others get a turn in between.
    private static var batch: Int { 500 }

    /// Forgets how looks at a source went that is a part of a larger one.
    public func forgetLook(at uri: String) throws(PluginError) {
        try change { ledger throws(PluginError) in
            try ledger.database.run("DELETE FROM part WHERE uri = ?", .text(uri))
        }
    }
}

extension CatalogLedger {
    /// Remembers the URI of a source that is forgotten: those who follow are still to be told what was removed from it.
    func keepName(of source: SourceRecord) throws(PluginError) {
        try database.run(
            "INSERT OR REPLACE INTO meta(key, value) VALUES (?, ?)", .text(Self.nameKey(source.id.rawValue)),
            .text(source.uri))
    }

    /// The URI of a source, also of one that was forgotten; `nil` for numbers that no source ever had.
    func uri(ofSource id: Int64) throws(PluginError) -> String? {
        let known = try database.first("SELECT uri FROM source WHERE id = ?", .integer(id)) { $0.text(0) }
        if let known { return known }
        return try database.first("SELECT value FROM meta WHERE key = ?", .text(Self.nameKey(id))) { $0.text(0) }
    }

    private static func nameKey(_ source: Int64) -> String { "source \(source)" }

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

    /// Deletes some items of a folder.
    fileprivate func removeItems(
        in folder: Int64, of source: Int64, limit: Int
    ) throws(PluginError) -> [RemovedItem] {
        let rows = try database.rows(
            "SELECT id, name FROM item WHERE folder = ? LIMIT ?", .integer(folder), .count(limit)
        ) { ($0.integer(0), $0.bytes(1)) }
        var removed: [RemovedItem] = []
        for (id, name) in rows {
            let path = try path(folder, name)
            removed.append(
                RemovedItem(id: ItemID(rawValue: id), path: try ItemPath(path), previews: try previews(of: id)))
            try log(.removed, id, source: source, path: path)
            try deleteItem(id)
            try forgetDocument(of: id)
            try database.run("DELETE FROM preview WHERE item = ?", .integer(id))
        }
        return removed
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

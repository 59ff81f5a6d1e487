import SQLite
public import VitrineKit

/// How the last look at a source went.
public struct SourceLook: Hashable, Sendable {
    /// How.
    public var state: SourceRecord.State
    /// Why it is not complete.
    public var reason: String?
    /// When all of it was last seen, in seconds since 1970; `nil` for never.
    public var indexed: Int64?
    /// When it was last looked at, in seconds since 1970.
    public var checked: Int64?
    /// Since when it is in this state, in seconds since 1970.
    public var since: Int64?

    /// Creates one.
    public init(
        state: SourceRecord.State, reason: String? = nil, indexed: Int64? = nil, checked: Int64? = nil,
        since: Int64? = nil
    ) {
        self.state = state
        self.reason = reason
        self.indexed = indexed
        self.checked = checked
        self.since = since
    }
}

// A source that a user registered may be a part of a source of the catalog.
extension Catalog {
    /// How the last look at a source went; `nil` when it was never looked at by itself.
    /// - Parameter uri: its canonical URI.
    public func look(at uri: String) throws(PluginError) -> SourceLook? {
        try with { ledger throws(PluginError) in
            for table in ["source", "part"] {
                let look = try ledger.database.first(
                    "SELECT state, reason, indexed, checked, since FROM \(table) WHERE uri = ? AND checked IS NOT NULL",
                    .text(uri)
                ) { row in
                    SourceLook(
                        state: SourceRecord.State(rawValue: row.integer(0)) ?? .new, reason: row.optionalText(1),
                        indexed: row.optionalInteger(2), checked: row.optionalInteger(3), since: row.optionalInteger(4))
                }
                if let look { return look }
            }
            return nil
        }
    }

    /// The canonical URIs of the sources that are parts of larger ones.
    public func parts() throws(PluginError) -> [String] {
        try with { ledger throws(PluginError) in
            try ledger.database.rows("SELECT uri FROM part ORDER BY uri") { $0.text(0) }
        }
    }

    /// Writes down how a look at a source went that may be a part of a larger one, or not known at all.
    /// - Parameters:
    ///   - state: how.
    ///   - reason: why it is not complete, a sentence.
    ///   - uri: its canonical URI.
    ///   - now: seconds since 1970.
    public func note(
        _ state: SourceRecord.State, reason: String? = nil, at uri: String, now: Int64
    ) throws(PluginError) {
        if let source = try knownSource(uri) { return try note(state, reason: reason, of: source.id, now: now) }
        try change { ledger throws(PluginError) in
            try ledger.database.run("INSERT OR IGNORE INTO part(uri) VALUES (?)", .text(uri))
            try ledger.note(state, reason, in: "part", "uri = ?4", .text(uri), now)
        }
    }

    /// The folders of a source at these paths, as far as they are known.
    public func knownFolders(
        _ paths: some Sequence<ItemPath>, in source: SourceRecord
    ) throws(PluginError) -> Set<FolderID> {
        let paths = Array(paths)
        return try with { ledger throws(PluginError) in
            var folders: Set<FolderID> = []
            for path in paths {
                if let id = try ledger.knownFolder(path, in: source) { folders.insert(FolderID(rawValue: id)) }
            }
            return folders
        }
    }

    /// How many items below a folder ended how. Where a run has settled all items of a folder, its tally is read;
    /// else every item is.
    /// - Parameters:
    ///   - base: the folder.
    ///   - source: its source.
    ///   - others: folders that are not counted, nor what is below them.
    public func counts(
        below base: ItemPath, of source: SourceRecord, besides others: [ItemPath] = []
    ) throws(PluginError) -> [ItemState: Int] {
        let left = try knownFolders(others, in: source)
        return try with { ledger throws(PluginError) in
            guard let top = try ledger.knownFolder(base, in: source) else { return [:] }
            let below =
                "WITH RECURSIVE below(id) AS (SELECT ? UNION ALL SELECT f.id FROM below JOIN folder f ON f.parent = below.id"
                + (left.isEmpty ? "" : " WHERE f.id NOT IN (\(left.map { "\($0.rawValue)" }.joined(separator: ",")))")
                + ") SELECT"
            var counts: [ItemState: Int] = [:]
            for query in [
                " t.state, sum(t.count) FROM below JOIN folder f ON f.id = below.id JOIN tally t ON t.folder = f.id "
                    + "WHERE f.plan <> 0 GROUP BY t.state",
                " i.state, count(*) FROM below JOIN folder f ON f.id = below.id JOIN item i ON i.folder = f.id "
                    + "WHERE f.plan = 0 GROUP BY i.state",
            ] {
                let rows = try ledger.database.rows(below + query, .integer(top)) {
                    ($0.integer(0), Int($0.integer(1)))
                }
                for (state, count) in rows { counts[ItemState(rawValue: state) ?? .pending, default: 0] += count }
            }
            return counts
        }
    }

    /// Makes a source a part of a larger one, with all that is known of it: numbers, ends of work, what vanished and what
    /// happened. Those who follow the changes are told nothing, since every item stays at its URI.
    /// - Parameters:
    ///   - part: the source, which is none of its own from now on.
    ///   - source: the larger one, of the same storage.
    ///   - path: where `part` lies in it; not its root.
    /// - Throws: `invalidArgument` when it is the root.
    public func join(_ part: SourceRecord, to source: SourceRecord, at path: ItemPath) throws(PluginError) {
        guard !path.isRoot, part.id != source.id else {
            throw PluginError(
                .invalidArgument,
                "the source '\(DisplayText.of(part.uri))' does not lie in '\(DisplayText.of(source.uri))'")
        }
        try change { ledger throws(PluginError) in
            let database = ledger.database
            let place = try ledger.enter(path, in: source)
            let parent = try database.first("SELECT parent FROM folder WHERE id = ?", .integer(place)) {
                $0.optionalInteger(0)
            }
            guard let parent, let parent else { throw ledger.lost("folder") }
            // Usually empty and just made. If another process was faster, its items are found again by the walk.
            try ledger.vanish(folder: place, source: source.id.rawValue, now: 0)
            let (old, new): (Value, Value) = (.integer(part.id.rawValue), .integer(source.id.rawValue))
            try database.run("UPDATE folder SET source = ? WHERE source = ?", new, old)
            try database.run(
                "UPDATE folder SET parent = ?, name = ? WHERE id = ?", .integer(parent), .bytes(path.name),
                .integer(part.root.rawValue))
            // Put together as bytes: names need not be text.
            let prefix: Value = .bytes(path.bytes + [UInt8(ascii: "/")])
            for table in ["gone", "change"] {
                try database.run(
                    "UPDATE \(table) SET source = ?, path = CAST(? || path AS BLOB) WHERE source = ? AND path IS NOT NULL",
                    new, prefix, old)
            }
            try database.run(
                "INSERT OR REPLACE INTO part SELECT uri, state, reason, indexed, checked, since FROM source WHERE id = ?",
                old)
            try database.run("DELETE FROM source WHERE id = ?", old)
            ledger.forgetPaths()
        }
    }
}

extension CatalogLedger {
    /// Writes down how a look went.
    func note(
        _ state: SourceRecord.State, _ reason: String?, in table: String, _ condition: String, _ key: Value,
        _ now: Int64
    ) throws(PluginError) {
        try database.run(
            "UPDATE \(table) SET since = CASE WHEN state = ?1 AND checked IS NOT NULL THEN since ELSE ?3 END, "
                + "state = ?1, reason = ?2, checked = ?3, indexed = CASE ?1 WHEN 1 THEN ?3 ELSE indexed END "
                + "WHERE \(condition)", .integer(state.rawValue), .text(reason), .integer(now), key)
    }
}

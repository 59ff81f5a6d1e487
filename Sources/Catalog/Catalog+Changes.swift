import SQLite
public import VitrineKit

/// What happened since a version.
public enum Changes: Hashable, Sendable {
    /// The version is too old, or from another catalog: take the whole, and go on from `version`.
    case whole(version: Int64)
    /// What happened, in order; go on from `version`. There may be more.
    case increment([Change], version: Int64, isAll: Bool)
}

extension Catalog {
    /// The number of the last change.
    public var version: Int64 {
        get throws(PluginError) { try with { ledger throws(PluginError) in try ledger.meta("version") } }
    }

    /// What happened after a version.
    ///
    /// An item that came and went in between is not told; one that was moved twice is told once for each move, and one
    /// that was moved and then removed is told as removed from both places.
    /// - Parameters:
    ///   - version: the last version that the caller knows.
    ///   - limit: how many changes at most; ask again from the version that is returned.
    public func changes(since version: Int64, limit: Int = 10_000) throws(PluginError) -> Changes {
        try with { ledger throws(PluginError) in
            // As it was at one moment: others may write, and forget old changes, meanwhile.
            try ledger.database.snapshot { () throws(PluginError) in
                let (oldest, newest) = (try ledger.meta("oldest"), try ledger.meta("version"))
                guard oldest...max(oldest, newest) ~= version else { return .whole(version: newest) }
                return try ledger.changes(since: version, limit: limit, newest)
            }
        }
    }

    /// How many items were removed from sources after a version, and have turned up nowhere since.
    /// - Returns: `nil` when the log does not reach back so far.
    public func removedCount(since version: Int64, from sources: Set<SourceID>) throws(PluginError) -> Int? {
        try with { ledger throws(PluginError) in
            guard try ledger.meta("oldest") <= version else { return nil }
            let list = sources.map { "\($0.rawValue)" }.sorted().joined(separator: ",")
            return try ledger.database.first(
                "SELECT count(DISTINCT c.item) FROM change c WHERE c.version > ? AND c.kind = ? AND c.source IN (\(list)) "
                    + "AND NOT EXISTS(SELECT 1 FROM item i WHERE i.id = c.item)",
                .integer(version), .integer(CatalogLedger.ChangeKind.removed.rawValue)
            ) { Int($0.integer(0)) } ?? 0
        }
    }

    /// All items that the catalog knows, some thousand at a time.
    /// - Parameter visit: called with items, each with the URI of its source.
    public func eachItem(_ visit: ([PlacedItem]) throws(PluginError) -> Void) throws(PluginError) {
        let uris = Dictionary(try sources().map { ($0.id.rawValue, $0.uri) }) { $1 }
        var last: Int64 = 0
        while true {
            let from = last
            let page = try with { ledger throws(PluginError) in try ledger.items(after: from, limit: 2000, uris) }
            guard let end = page.last else { return }
            last = end.id.rawValue
            try visit(page)
        }
    }
}

/// An item and where it lies.
public struct PlacedItem: Hashable, Sendable {
    /// Its number.
    public var id: ItemID
    /// The URI of its source.
    public var source: String
    /// Where it lies in its source.
    public var path: ItemPath
    /// How the work on it ended.
    public var state: ItemState
}

extension CatalogLedger {
    fileprivate func items(
        after id: Int64, limit: Int, _ sources: [Int64: String]
    ) throws(PluginError) -> [PlacedItem] {
        let rows = try database.rows(
            "SELECT i.id, i.folder, i.name, i.state, f.source FROM item i JOIN folder f ON f.id = i.folder "
                + "WHERE i.id > ? ORDER BY i.id LIMIT ?", .integer(id), .count(limit)
        ) { ($0.integer(0), $0.integer(1), $0.bytes(2), $0.integer(3), $0.integer(4)) }
        var items: [PlacedItem] = []
        for (id, folder, name, state, source) in rows {
            var uri = sources[source]
            // One that came, or took others in, since the first items were told.
            if uri == nil { uri = try self.uri(ofSource: source) }
            items.append(
                PlacedItem(
                    id: ItemID(rawValue: id), source: uri ?? "", path: try ItemPath(try path(folder, name)),
                    state: ItemState(rawValue: state) ?? .pending))
        }
        return items
    }
}

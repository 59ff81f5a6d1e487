import SQLite
import VitrineKit

extension CatalogLedger {
    /// What happened after a version.
    /// - Parameters:
    ///   - version: one that the log still holds.
    ///   - limit: how many changes at most.
    ///   - newest: the last version.
    func changes(since version: Int64, limit: Int, _ newest: Int64) throws(PluginError) -> Changes {
        let rows = try database.rows(
            "SELECT version, kind, item, source, path, more FROM change WHERE version > ? ORDER BY version LIMIT ?",
            .integer(version), .count(limit)
        ) { ChangeReading.Row($0) }
        var reading = ChangeReading(self)
        var last = version
        var room = Int64(limit)
        for row in rows {
            // Of a row for many items the first ones may be known, and the last ones be too many.
            let first = max(row.first, version + 1)
            let end = row.version - first < room ? row.version : first + room - 1
            try reading.take(row, first...end)
            (last, room) = (end, room - (end - first + 1))
            if room == 0 { break }
        }
        let isAll = room > 0
        return .increment(reading.changes, version: isAll ? newest : last, isAll: isAll)
    }
}

/// Makes changes of rows of the log, in their order.
private struct ChangeReading {
    /// A row of the log: what happened to an item, or that items with following numbers were added.
    struct Row {
        /// The last version that it tells of.
        var version: Int64
        /// The first one.
        var first: Int64
        var kind: CatalogLedger.ChangeKind?
        /// The item of the first version.
        var item: Int64
        var source: Int64?
        var path: [UInt8]?

        init(_ row: Statement) {
            version = row.integer(0)
            first = version - min(max(0, row.integer(5)), max(0, version))
            kind = CatalogLedger.ChangeKind(rawValue: row.integer(1))
            (item, source, path) = (row.integer(2), row.optionalInteger(3), row.optionalBytes(4))
        }
    }

    let ledger: CatalogLedger
    var changes: [Change] = []
    /// Items that were added since the version that is known.
    private var fresh: Set<Int64> = []
    private var uris: [Int64: String] = [:]

    init(_ ledger: CatalogLedger) { self.ledger = ledger }

    mutating func take(_ row: Row, _ versions: ClosedRange<Int64>) throws(PluginError) {
        guard let kind = row.kind else { return }
        let item = row.item &+ (versions.lowerBound - row.first)
        if kind == .removed {
            // It was found again, at another place or at its own: a later row tells where.
            if try isThere(row.item) { return }
            // Who never heard of it need not hear that it is gone.
            if fresh.remove(row.item) == nil { try tellRemoval(row) }
            return
        }
        if kind == .added { for index in 0..<Int64(versions.count) { fresh.insert(item &+ index) } }
        let there = try ledger.database.rows(
            "SELECT i.id, i.folder, i.name, f.source FROM item i CROSS JOIN folder f ON f.id = i.folder "
                + "WHERE i.id >= ? AND i.id < ? ORDER BY i.id",
            .integer(item), .integer(item &+ Int64(versions.count))
        ) { ($0.integer(0), $0.integer(1), $0.bytes(2), $0.integer(3)) }
        // It was moved and then removed: where it lay before it is not any more either.
        if there.isEmpty, kind == .moved, !fresh.contains(item) { try tellRemoval(row) }
        let previous = try row.path.map { path throws(PluginError) in
            Change.Place(source: try uri(row.source), path: try ItemPath(path))
        }
        for (id, folder, name, home) in there {
            changes.append(
                Change(
                    version: versions.lowerBound + (id - item), kind: Self.kind(kind), item: ItemID(rawValue: id),
                    source: try uri(home), path: try ItemPath(try ledger.path(folder, name)), previous: previous))
        }
    }

    private func isThere(_ item: Int64) throws(PluginError) -> Bool {
        try ledger.database.first("SELECT 1 FROM item WHERE id = ?", .integer(item)) { $0.integer(0) } != nil
    }

    private mutating func tellRemoval(_ row: Row) throws(PluginError) {
        guard let path = row.path else { return }
        changes.append(
            Change(
                version: row.version, kind: .removed, item: ItemID(rawValue: row.item), source: try uri(row.source),
                path: try ItemPath(path)))
    }

    private mutating func uri(_ source: Int64?) throws(PluginError) -> String? {
        guard let source else { return nil }
        if let known = uris[source] { return known }
        let found = try ledger.uri(ofSource: source)
        uris[source] = found
        return found
    }

    private static func kind(_ kind: CatalogLedger.ChangeKind) -> Change.Kind {
        switch kind {
        case .added: .added
        case .changed: .changed
        case .moved: .moved
        case .removed: .removed
        case .previewed: .previewed
        }
    }
}

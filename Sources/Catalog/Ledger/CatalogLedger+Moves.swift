import SQLite
import VitrineKit

// Items that leave their place, and those that are found at another one.
extension CatalogLedger {
    /// Takes an item away whose file is not there any more. Its previews stay, for the grace time.
    /// - Parameters:
    ///   - id: the item.
    ///   - source: the source that it belongs to.
    ///   - now: seconds since 1970; 0 when there is no grace time.
    ///   - told: called with its path.
    func vanish(
        _ id: Int64, source: Int64, now: Int64, told: (ItemPath) -> Void
    ) throws(PluginError) {
        let row = try database.first("SELECT folder, name FROM item WHERE id = ?", .integer(id)) {
            ($0.integer(0), $0.bytes(1))
        }
        guard let (folder, name) = row else { return }
        let path = try path(folder, name)
        // Why it has no preview is forgotten with its place: should it come back, it is tried again.
        try database.run(
            """
            INSERT INTO gone(id, source, path, size, seconds, nanoseconds, inode, head, content, state, plan, renderer, type, since)
            SELECT id, ?1, ?2, size, seconds, nanoseconds, inode, head, content, CASE state WHEN ?5 THEN 0 ELSE state END,
                CASE state WHEN ?5 THEN 0 ELSE plan END, renderer, type, ?3
            FROM item WHERE id = ?4
            """, .integer(source), .bytes(path), .integer(now), .integer(id), .integer(ItemState.failed.rawValue))
        try deleteItem(id)
        try log(.removed, id, source: source, path: path)
        told(try ItemPath(path))
    }

    /// Puts an item that vanished to a place, as it was.
    func restore(_ id: Int64, to folder: Int64, name: [UInt8], etag: String?) throws(PluginError) {
        try database.run(
            """
            INSERT INTO item(id, folder, name, size, seconds, nanoseconds, inode, etag, state, plan, renderer, type, head, content)
            SELECT id, ?, ?, size, seconds, nanoseconds, inode, ?, state, plan, renderer, type, head, content
            FROM gone WHERE id = ?
            """, .integer(folder), .bytes(name), .text(etag), .integer(id))
        try database.run("DELETE FROM gone WHERE id = ?", .integer(id))
        try database.run(
            "INSERT OR IGNORE INTO numbered SELECT inode, id FROM item WHERE id = ? AND inode IS NOT NULL "
                + "AND id <= (SELECT inodes FROM named)",
            .integer(id))
        // Its number may be one of those whose names are indexed already; its own is not, or no more.
        try database.run("INSERT OR IGNORE INTO stale(item) VALUES (?)", .integer(id))
    }

    /// Gives a new item the number and the past of one whose file is not there any more.
    func adopt(
        _ old: Int64, from known: [UInt8], as new: Int64
    ) throws(PluginError) -> Adoption? {
        if let adopted = try adopt(gone: old, as: new) { return adopted }
        let row = try database.first(
            """
            SELECT o.folder, o.name, f.source, n.folder, n.name, n.etag FROM item o JOIN folder f ON f.id = o.folder
            JOIN item n ON n.id = ?2 AND n.size IS o.size AND n.seconds IS o.seconds AND n.nanoseconds IS o.nanoseconds
            WHERE o.id = ?1
            """, .integer(old), .integer(new)
        ) { ($0.integer(0), $0.bytes(1), $0.integer(2), $0.integer(3), $0.bytes(4), $0.optionalText(5)) }
        guard let (oldFolder, oldName, source, folder, name, etag) = row else { return nil }
        let path = try path(oldFolder, oldName)
        guard path == known else { return nil }
        try deleteItem(new)
        try forgetDocument(of: new)
        try database.run("DELETE FROM preview WHERE item = ?", .integer(new))
        try database.run(
            "UPDATE item SET folder = ?, name = ?, etag = ? WHERE id = ?", .integer(folder), .bytes(name), .text(etag),
            .integer(old))
        // The folder that it left is not what it was.
        try forgetListing(of: oldFolder)
        try log(.moved, old, source: source, path: path)
        return try moved(old, from: path, hadVanished: false)
    }

    /// The same for an item that its old folder has lost already, as when both were merged at once.
    private func adopt(gone old: Int64, as new: Int64) throws(PluginError) -> Adoption? {
        let row = try database.first(
            """
            SELECT o.source, o.path, n.folder, n.name, n.etag FROM gone o
            JOIN item n ON n.id = ?2 AND n.size IS o.size AND n.seconds IS o.seconds AND n.nanoseconds IS o.nanoseconds
            WHERE o.id = ?1
            """, .integer(old), .integer(new)
        ) { ($0.integer(0), $0.bytes(1), $0.integer(2), $0.bytes(3), $0.optionalText(4)) }
        guard let (source, path, folder, name, etag) = row else { return nil }
        try deleteItem(new)
        try forgetDocument(of: new)
        try database.run("DELETE FROM preview WHERE item = ?", .integer(new))
        try restore(old, to: folder, name: name, etag: etag)
        try log(return: old, from: source, path)
        return try moved(old, from: path, hadVanished: true)
    }

    /// An item at its new place, as it was at the old one. Its previews are still there: until they have followed, the
    /// catalog holds it for one that is to be worked on, so that nothing is missed when the run ends too early.
    private func moved(
        _ id: Int64, from path: [UInt8], hadVanished: Bool
    ) throws(PluginError) -> Adoption? {
        let now = try database.first("SELECT \(Self.itemColumns) FROM item WHERE id = ?", .integer(id)) {
            Self.item($0)
        }
        guard let now else { return nil }
        try unsettle(id)
        let was = RemovedItem(id: ItemID(rawValue: id), path: try ItemPath(path), previews: try previews(of: id))
        return Adoption(was: was, now: now, hadVanished: hadVanished)
    }

    /// Writes down that an item which vanished is at another place. Its old one was told as removed then; if something
    /// else lies there by now, who follows must not take that for gone.
    func log(return id: Int64, from source: Int64, _ path: [UInt8]) throws(PluginError) {
        let root = try database.first("SELECT root FROM source WHERE id = ?", .integer(source)) { $0.integer(0) }
        let isTaken = try root.map { root throws(PluginError) in try isThere(ItemPath(path), below: root) } ?? false
        if isTaken { try log(.added, id) } else { try log(.moved, id, source: source, path: path) }
    }

    /// Whether an item lies at a place.
    /// - Parameters:
    ///   - path: the place.
    ///   - root: the root folder of its source.
    func isThere(_ path: ItemPath, below root: Int64) throws(PluginError) -> Bool {
        guard let parent = path.parent else { return true }
        guard let folder = try knownFolder(parent, below: root) else { return false }
        return try database.first(
            "SELECT 1 FROM item WHERE folder = ? AND name = ?", .integer(folder), .bytes(path.name)
        ) { $0.integer(0) } != nil
    }

    /// Holds an item for one that is to be worked on.
    func unsettle(_ id: Int64) throws(PluginError) {
        try database.run("UPDATE item SET state = 0, plan = 0 WHERE id = ?", .integer(id))
    }

    /// Recognises items that got another name in their folder, of which the listing says that nothing has the old one.
    /// - Returns: how many there were.
    func adoptRenamed(_ items: inout [MergedItem], _ merge: inout FolderMerge) throws(PluginError) -> Int {
        // A folder that was not known has no old names.
        if merge.isNew { return 0 }
        var count = 0
        for index in items.indices {
            guard case .perhapsMoved(let old, let path, merge.source) = items[index].status,
                path.parent == merge.folder.path, !merge.seenItems.contains(old.rawValue),
                let adopted = try adopt(old.rawValue, from: path.bytes, as: items[index].id.rawValue)
            else { continue }
            let now = adopted.now
            merge.seenItems.insert(old.rawValue)
            items[index] = MergedItem(
                id: now.id, status: .moved(from: adopted.was, source: merge.source), state: now.state, plan: now.plan,
                renderer: now.renderer)
            count += 1
        }
        return count
    }

    /// How many rows of what vanished are taken at once: others get a turn in between.
    private static var goneBatch: Int { 500 }

    /// Takes some of what vanished from a source before a moment, with its previews, for good.
    /// - Returns: none when there is no more.
    func takeGone(before moment: Int64, of source: Int64) throws(PluginError) -> [RemovedItem] {
        let rows = try database.rows(
            "SELECT id, path FROM gone WHERE source = ? AND since < ? LIMIT ?", .integer(source), .integer(moment),
            .count(Self.goneBatch)
        ) { ($0.integer(0), $0.bytes(1)) }
        return try take(gone: rows)
    }

    /// Takes some of what vanished from folders of a source, with its previews, for good.
    /// - Parameters:
    ///   - condition: which paths, in SQL.
    ///   - values: for its parameters.
    ///   - source: the source.
    ///   - last: the number of the last row that was looked at, in the order of which they are gone through.
    /// - Returns: none when there is no more.
    func takeGone(
        _ condition: String, _ values: [Value], of source: Int64, after last: inout Int64
    ) throws(PluginError) -> [RemovedItem] {
        // By the numbers, not by the index, so that each row is looked at once whatever the condition says of it.
        let statement = try database.statement(
            "SELECT id, path FROM gone WHERE id > ? AND +source = ? AND \(condition) ORDER BY id LIMIT \(Self.goneBatch)"
        )
        try statement.bind([.integer(last), .integer(source)] + values)
        var rows: [(Int64, [UInt8])] = []
        while try statement.step() { rows.append((statement.integer(0), statement.bytes(1))) }
        statement.reset()
        last = rows.last?.0 ?? last
        return try take(gone: rows)
    }

    private func take(gone rows: [(Int64, [UInt8])]) throws(PluginError) -> [RemovedItem] {
        var removed: [RemovedItem] = []
        for (id, path) in rows {
            removed.append(
                RemovedItem(id: ItemID(rawValue: id), path: try ItemPath(path), previews: try previews(of: id)))
            try database.run("DELETE FROM preview WHERE item = ?", .integer(id))
            try database.run("DELETE FROM gone WHERE id = ?", .integer(id))
            try forgetDocument(of: id)
        }
        return removed
    }
}

import SQLite
import VitrineKit

// Items that leave their place, and those that are found at another one.
extension CatalogLedger {
    /// Takes an item away whose file is not there any more. Its previews stay, for the grace time.
    /// - Parameters:
    ///   - id: the item.
    ///   - source: the source that it belongs to.
    ///   - now: seconds since 1970.
    ///   - told: called with its path.
    func vanish(
        _ id: Int64, source: Int64, now: Int64, told: (ItemPath) -> Void
    ) throws(PluginError) {
        let row = try database.first("SELECT folder, name FROM item WHERE id = ?", .integer(id)) {
            ($0.integer(0), $0.bytes(1))
        }
        guard let (folder, name) = row else { return }
        let path = try path(folder, name)
        try database.run(
            """
            INSERT INTO gone(id, source, path, size, seconds, nanoseconds, inode, head, content, state, plan, renderer, type, since)
            SELECT id, ?, ?, size, seconds, nanoseconds, inode, head, content, state, plan, renderer, type, ?
            FROM item WHERE id = ?
            """, .integer(source), .bytes(path), .integer(now), .integer(id))
        try deleteItem(id)
        try log(.removed, id, source: source, path: path)
        told(try ItemPath(path))
    }

    /// Takes a folder away with all that is below it.
    /// - Returns: how many items were in it.
    func vanish(
        folder top: Int64, source: Int64, now: Int64, told: (ItemPath) -> Void
    ) throws(PluginError) -> Int {
        var count = 0
        var pending = [top]
        var found: [Int64] = []
        while let folder = pending.popLast() {
            found.append(folder)
            pending += try database.rows("SELECT id FROM folder WHERE parent = ?", .integer(folder)) { $0.integer(0) }
        }
        for folder in found.reversed() {
            let items = try database.rows("SELECT id FROM item WHERE folder = ?", .integer(folder)) { $0.integer(0) }
            for item in items { try vanish(item, source: source, now: now, told: told) }
            count += items.count
            try database.run("DELETE FROM tally WHERE folder = ?", .integer(folder))
            try database.run("DELETE FROM folder WHERE id = ?", .integer(folder))
        }
        forgetPaths()
        return count
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
    }

    /// Gives a new item the number and the past of one whose file is not there any more.
    func adopt(
        _ old: Int64, from known: [UInt8], as new: Int64
    ) throws(PluginError) -> (was: RemovedItem, now: ItemRecord)? {
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
        try database.run("DELETE FROM preview WHERE item = ?", .integer(new))
        try database.run(
            "UPDATE item SET folder = ?, name = ?, etag = ? WHERE id = ?", .integer(folder), .bytes(name), .text(etag),
            .integer(old))
        // The folder that it left is not what it was.
        try database.run("UPDATE folder SET digest = NULL, plan = 0 WHERE id = ?", .integer(oldFolder))
        try log(.moved, old, source: source, path: path)
        return try moved(old, from: path)
    }

    /// The same for an item that its old folder has lost already, as in a folder in which a file was renamed.
    private func adopt(gone old: Int64, as new: Int64) throws(PluginError) -> (was: RemovedItem, now: ItemRecord)? {
        let row = try database.first(
            """
            SELECT o.source, o.path, n.folder, n.name, n.etag FROM gone o
            JOIN item n ON n.id = ?2 AND n.size IS o.size AND n.seconds IS o.seconds AND n.nanoseconds IS o.nanoseconds
            WHERE o.id = ?1
            """, .integer(old), .integer(new)
        ) { ($0.integer(0), $0.bytes(1), $0.integer(2), $0.bytes(3), $0.optionalText(4)) }
        guard let (source, path, folder, name, etag) = row else { return nil }
        try deleteItem(new)
        try database.run("DELETE FROM preview WHERE item = ?", .integer(new))
        try restore(old, to: folder, name: name, etag: etag)
        try log(return: old, from: source, path)
        return try moved(old, from: path)
    }

    /// An item at its new place, as it was at the old one. Its previews are still there: until they have followed, the
    /// catalog holds it for one that is to be worked on, so that nothing is missed when the run ends too early.
    private func moved(
        _ id: Int64, from path: [UInt8]
    ) throws(PluginError) -> (was: RemovedItem, now: ItemRecord)? {
        let now = try database.first("SELECT \(Self.itemColumns) FROM item WHERE id = ?", .integer(id)) {
            Self.item($0)
        }
        guard let now else { return nil }
        try unsettle(id)
        return (RemovedItem(id: ItemID(rawValue: id), path: try ItemPath(path), previews: try previews(of: id)), now)
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
        var folder = root
        guard let parent = path.parent else { return true }
        for name in parent.bytes.split(separator: UInt8(ascii: "/")) {
            let next = try database.first(
                "SELECT id FROM folder WHERE parent = ? AND name = ?", .integer(folder), .bytes(Array(name))
            ) { $0.integer(0) }
            guard let next else { return false }
            folder = next
        }
        return try database.first(
            "SELECT 1 FROM item WHERE folder = ? AND name = ?", .integer(folder), .bytes(path.name)
        ) { $0.integer(0) } != nil
    }

    /// Holds an item for one that is to be worked on.
    func unsettle(_ id: Int64) throws(PluginError) {
        try database.run("UPDATE item SET state = 0, plan = 0 WHERE id = ?", .integer(id))
    }

    /// Takes rows of what vanished, with their previews, for good.
    /// - Parameters:
    ///   - condition: which, in SQL.
    ///   - values: for its parameters.
    func takeGone(_ condition: String, _ values: [Value]) throws(PluginError) -> [RemovedItem] {
        let statement = try database.statement("SELECT id, path FROM gone WHERE \(condition) LIMIT 500")
        try statement.bind(values)
        var rows: [(Int64, [UInt8])] = []
        while try statement.step() { rows.append((statement.integer(0), statement.bytes(1))) }
        statement.reset()
        var removed: [RemovedItem] = []
        for (id, path) in rows {
            removed.append(
                RemovedItem(id: ItemID(rawValue: id), path: try ItemPath(path), previews: try previews(of: id)))
            try database.run("DELETE FROM preview WHERE item = ?", .integer(id))
            try database.run("DELETE FROM gone WHERE id = ?", .integer(id))
        }
        return removed
    }
}

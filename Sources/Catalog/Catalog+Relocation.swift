import SQLite
public import VitrineKit

// A source whose folder was moved as a whole: its items go along, some hundred at a time, so that others get a turn, and so
// that who is stopped between two parts goes on where it stood.
extension Catalog {
    /// Begins to move what is known of a folder to another place. Nothing is changed yet.
    /// - Parameters:
    ///   - source: what the folder belongs to.
    ///   - base: the folder; the root for all of the source.
    ///   - others: folders in it that are sources of their own, and stay as they are known.
    ///   - target: what it belongs to then, which may be the same source.
    ///   - place: where it lies there: not in `base`, nor around it.
    /// - Returns: `nil` when nothing is known of the folder.
    public func relocation(
        of source: SourceRecord, below base: ItemPath, keeping others: [ItemPath] = [], to target: SourceRecord,
        at place: ItemPath
    ) throws(PluginError) -> Relocation? {
        guard source.id != target.id || (place.below(base) == nil && base.below(place) == nil) else {
            throw PluginError(.invalidArgument, "'\(base)' cannot be moved into itself or around itself")
        }
        let kept = try knownFolders(others, in: source)
        return try with { ledger throws(PluginError) in
            guard let top = try ledger.knownFolder(base, in: source) else { return nil }
            let tree = try ledger.subtree(of: top, besides: kept)
            return Relocation(
                source: source, base: base, target: target, place: place, left: tree.folders, passages: tree.passages,
                others: others)
        }
    }

    /// Some of the known items of a folder, from all over it.
    /// - Parameters:
    ///   - base: the folder.
    ///   - source: its source.
    ///   - others: folders that are left out, with all that is below them.
    ///   - limit: how many at most.
    /// - Returns: their paths below the folder, and what is known of them.
    public func sample(
        below base: ItemPath, of source: SourceRecord, besides others: [ItemPath] = [], limit: Int
    ) throws(PluginError) -> [(path: ItemPath, entry: Entry)] {
        let left = try knownFolders(others, in: source)
        return try with { ledger throws(PluginError) in
            guard limit > 0, let top = try ledger.knownFolder(base, in: source) else { return [] }
            let folders = try ledger.subtree(of: top, besides: left).folders
            let share = max(1, limit / max(1, min(limit, folders.count)))
            let step = max(1, folders.count / limit)
            var sample: [(path: ItemPath, entry: Entry)] = []
            // All folders are gone through at last, since many may hold nothing but folders.
            for start in 0..<step {
                for index in stride(from: start, to: folders.count, by: step) {
                    let rows = try ledger.database.rows(
                        "SELECT \(CatalogLedger.itemColumns) FROM item WHERE folder = ? ORDER BY name LIMIT ?",
                        .integer(folders[index]), .count(min(share, limit - sample.count))
                    ) { CatalogLedger.item($0).entry }
                    for entry in rows {
                        let path = try ItemPath(try ledger.path(folders[index], entry.name))
                        if let path = path.below(base) { sample.append((path, entry)) }
                    }
                    if sample.count >= limit { return sample }
                }
            }
            return sample
        }
    }

    /// The next items that are to be moved; none when all were.
    public func nextItems(of relocation: Relocation) throws(PluginError) -> [LeavingItem] {
        try with { ledger throws(PluginError) in
            var items: [LeavingItem] = []
            for folder in relocation.left.reversed() {
                let records = try ledger.database.rows(
                    "SELECT \(CatalogLedger.itemColumns) FROM item WHERE folder = ? LIMIT ?", .integer(folder),
                    .count(Self.itemsAtOnce - items.count)
                ) { CatalogLedger.item($0) }
                for record in records {
                    let path = try ItemPath(try ledger.path(folder, record.entry.name))
                    items.append(
                        LeavingItem(
                            id: record.id, path: path, place: try relocation.place(of: path), size: record.entry.size,
                            modified: record.entry.modified, etag: record.entry.etag,
                            previews: try ledger.previews(of: record.id.rawValue)))
                }
                if items.count >= Self.itemsAtOnce { break }
            }
            return items
        }
    }

    /// Moves items whose previews have been brought to their new places. They keep their numbers and all that is known of
    /// them; what a run found at the new place meanwhile gives way. Those who follow the changes are told of each move.
    ///
    /// The folders that they leave and those that they come to are listed by the next run.
    public func move(_ items: [ArrivingItem], _ relocation: inout Relocation) throws(PluginError) {
        try change { ledger throws(PluginError) in
            var places: [Int64: Int64] = [:]
            for item in items { try ledger.bring(item, relocation, &places) }
            // The first one is left for the end.
            while relocation.left.count > 1, let folder = relocation.left.last, try !ledger.holdsItems(folder) {
                try ledger.delete(folder: folder, isPassage: relocation.passages.contains(folder))
                relocation.left.removeLast()
            }
        }
    }

    /// Ends a move, once no item is left. The old source is forgotten when nothing of it is left. What vanished from it before
    /// keeps its time of grace, and what of it turns up at the new place is known by its inode or content, as anywhere else.
    public func end(_ relocation: Relocation) throws(PluginError) {
        var left = relocation.left
        while left.count > 1 {
            let batch = left.dropFirst().suffix(Self.itemsAtOnce)
            try change { ledger throws(PluginError) in
                for folder in batch.reversed() {
                    try ledger.delete(folder: folder, isPassage: relocation.passages.contains(folder))
                }
            }
            left.removeLast(batch.count)
        }
        guard let top = left.first else { return }
        try change { ledger throws(PluginError) in
            let database = ledger.database
            ledger.forgetPaths()
            let isAwaited = try ledger.awaitsVanished(of: relocation.source)
            if relocation.base.isRoot, relocation.passages.isEmpty, !isAwaited {
                try ledger.keepName(of: relocation.source)
                try ledger.delete(folder: top, isPassage: false)
                try database.run("DELETE FROM source WHERE id = ?", .integer(relocation.source.id.rawValue))
                return
            }
            let above = try database.first("SELECT parent FROM folder WHERE id = ?", .integer(top)) {
                $0.optionalInteger(0)
            }
            if let above, let above {
                // Should something be there again, it is found.
                try ledger.forgetListing(of: above)
                try ledger.delete(folder: top, isPassage: relocation.passages.contains(top))
                try ledger.deletePassages(from: above, of: relocation.source)
            } else {
                try ledger.forgetListing(of: top)
                try database.run("DELETE FROM tally WHERE folder = ?", .integer(top))
                // It goes with the last of what vanished: see takeVanished(before:told:).
                let isLeft = relocation.base.isRoot && relocation.passages.isEmpty
                try database.run(
                    "UPDATE source SET state = ?, reason = NULL, indexed = NULL, checked = NULL WHERE id = ?",
                    .integer((isLeft ? SourceRecord.State.left : .new).rawValue),
                    .integer(relocation.source.id.rawValue))
            }
        }
    }

    /// Lets what is known of looks at a source be that of its new place, where nobody has looked yet: it counts as moved
    /// until somebody does.
    /// - Parameters:
    ///   - old: the URI that the source had.
    ///   - new: the one that it has.
    ///   - now: seconds since 1970.
    public func moveLook(from old: String, to new: String, now: Int64) throws(PluginError) {
        guard let look = try self.look(at: old) else { return }
        try change { ledger throws(PluginError) in
            let database = ledger.database
            let isSource = try ledger.source(new) != nil
            if !isSource { try database.run("INSERT OR IGNORE INTO part(uri) VALUES (?)", .text(new)) }
            try database.run(
                "UPDATE \(isSource ? "source" : "part") SET state = ?, reason = NULL, since = ?, "
                    + "indexed = coalesce(indexed, ?), checked = coalesce(checked, ?) WHERE uri = ?",
                .integer(SourceRecord.State.moved.rawValue), .integer(now), .number(look.indexed),
                .number(look.checked), .text(new))
            try database.run("DELETE FROM part WHERE uri = ?", .text(old))
        }
    }

    /// Remembers that a source is being moved, so that who is stopped on the way can go on whatever is left at the new place.
    public func beginMove(from old: String, to new: String) throws(PluginError) {
        try change { ledger throws(PluginError) in
            try ledger.database.run(
                "INSERT OR REPLACE INTO meta(key, value) VALUES (?, ?)", .text(CatalogLedger.moveKey(old)), .text(new))
        }
    }

    /// The place to which somebody began to move a source, and was stopped; `nil` when nobody did.
    public func begunMove(from old: String) throws(PluginError) -> String? {
        try with { ledger throws(PluginError) in
            try ledger.database.first("SELECT value FROM meta WHERE key = ?", .text(CatalogLedger.moveKey(old))) {
                $0.text(0)
            }
        }
    }

    /// Forgets that a source was being moved.
    public func endMove(from old: String) throws(PluginError) {
        try change { ledger throws(PluginError) in
            try ledger.database.run("DELETE FROM meta WHERE key = ?", .text(CatalogLedger.moveKey(old)))
        }
    }

    /// How many items or folders are moved at once: others get a turn in between.
    private static var itemsAtOnce: Int { 200 }
}

extension CatalogLedger {
    fileprivate static func moveKey(_ source: String) -> String { "move \(source)" }

    /// Whether items that vanished from a source may still come back.
    func awaitsVanished(of source: SourceRecord) throws(PluginError) -> Bool {
        try database.first("SELECT 1 FROM gone WHERE source = ? LIMIT 1", .integer(source.id.rawValue)) {
            $0.integer(0)
        }
            != nil
    }

    func holdsItems(_ folder: Int64) throws(PluginError) -> Bool {
        try database.first("SELECT 1 FROM item WHERE folder = ? LIMIT 1", .integer(folder)) { $0.integer(0) } != nil
    }

    /// Deletes a passage that leads nowhere any more, and those above it; at last a source that was moved before, and of
    /// which nothing else was left.
    fileprivate func deletePassages(from folder: Int64, of source: SourceRecord) throws(PluginError) {
        var next: Int64? = folder
        while let id = next {
            let row = try database.first(
                "SELECT parent, flags & ?2, EXISTS(SELECT 1 FROM folder WHERE parent = ?1) FROM folder WHERE id = ?1",
                .integer(id), .integer(FolderFlag.passage)
            ) { ($0.optionalInteger(0), $0.integer(1) != 0, $0.integer(2) != 0) }
            guard let (parent, isPassage, holdsFolders) = row, isPassage || parent == nil, !holdsFolders,
                try !holdsItems(id)
            else { return }
            if parent == nil {
                let isLeft = try database.first(
                    "SELECT 1 FROM source WHERE id = ? AND indexed IS NULL AND checked IS NULL",
                    .integer(source.id.rawValue)
                ) { $0.integer(0) }
                if isLeft == nil { return }
                if try awaitsVanished(of: source) {
                    try database.run(
                        "UPDATE source SET state = ? WHERE id = ?", .integer(SourceRecord.State.left.rawValue),
                        .integer(source.id.rawValue))
                    return
                }
                try keepName(of: source)
                try database.run("DELETE FROM source WHERE id = ?", .integer(source.id.rawValue))
            }
            try delete(folder: id, isPassage: false)
            next = parent
        }
    }

    /// Puts an item to its new place.
    /// - Parameter places: the new folders, by the old ones; more with each folder that is met.
    fileprivate func bring(
        _ item: ArrivingItem, _ relocation: Relocation, _ places: inout [Int64: Int64]
    ) throws(PluginError) {
        let id = item.id.rawValue
        let row = try database.first("SELECT folder, name, state FROM item WHERE id = ?", .integer(id)) {
            ($0.integer(0), $0.bytes(1), $0.integer(2))
        }
        guard let (folder, name, state) = row else { return }
        let path = try path(folder, name)
        let place: Int64
        if let known = places[folder] {
            place = known
        } else {
            place = try enter(relocation.place(of: ItemPath(self.path(ofFolder: folder))), in: relocation.target)
            try setPassage(false, of: place)
            for changed in [folder, place] { try forgetListing(of: changed) }
            places[folder] = place
        }
        let other = try database.first(
            "SELECT id FROM item WHERE folder = ? AND name = ?", .integer(place), .bytes(name)
        ) { $0.integer(0) }
        if let other {
            try deleteItem(other)
            try forgetDocument(of: other)
            try database.run("DELETE FROM preview WHERE item = ?", .integer(other))
        }
        try database.run("UPDATE item SET folder = ? WHERE id = ?", .integer(place), .integer(id))
        if let entry = item.entry { try update(id, to: entry) }
        try replacePreviews(of: id, with: item.previews)
        // Why another one has no preview was forgotten with its old place.
        if !item.isWhole || state == ItemState.failed.rawValue {
            try unsettle(id)
            try database.run("DELETE FROM failure WHERE item = ?", .integer(id))
        }
        try log(.moved, id, source: relocation.source.id.rawValue, path: path)
    }
}

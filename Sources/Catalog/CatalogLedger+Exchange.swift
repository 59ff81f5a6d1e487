import SQLite
import VitrineKit

// Two files of a folder that took each other's names.
extension CatalogLedger {
    /// Recognises two files of which each has the other one's name: the inodes tell. Both are put to their places at once,
    /// with their numbers and pasts, when the first of them is met. Previews stay with the places, since what lies in the
    /// cache does: both items are to be worked on.
    /// - Parameters:
    ///   - entry: what was found under a name.
    ///   - record: what is known under it.
    ///   - files: all of the page, in the order of their names. Both have to be in it.
    ///   - waiting: items whose turn is still to come, as they were.
    /// - Returns: `nil` for all else.
    func exchanged(
        _ entry: Entry, _ record: ItemRecord, among files: [Entry], _ merge: FolderMerge,
        _ waiting: inout [ItemID: RemovedItem]
    ) throws(PluginError) -> MergedItem? {
        if !waiting.isEmpty, let was = waiting.removeValue(forKey: record.id) { return Self.merged(record.id, was) }
        guard merge.mayHaveMoved, Self.isAnother(entry, record.entry), try bindIdentity(entry, findByInode) else {
            return nil
        }
        let found =
            try findByInode.step() ? (findByInode.integer(0), findByInode.integer(1), findByInode.bytes(2)) : nil
        findByInode.reset()
        let (folder, id) = (merge.folder.id.rawValue, record.id.rawValue)
        guard let (other, home, name) = found, home == folder, other != id, let partner = Self.file(name, among: files),
            partner.identifier == record.entry.identifier, partner.size == record.entry.size,
            partner.modified == record.entry.modified
        else { return nil }
        // No file has this name, and no item this number.
        let (nowhere, nobody): (Value, Value) = (.bytes([UInt8(ascii: "/")]), .integer(0))
        let names: [(item: Int64, name: Value)] = [
            (id, nowhere), (other, .bytes(entry.name)), (id, .bytes(name)),
        ]
        for (item, place) in names {
            try database.run("UPDATE item SET name = ? WHERE id = ?", place, .integer(item))
        }
        let owners: [(old: Value, new: Value)] = [
            (.integer(id), nobody), (.integer(other), .integer(id)), (nobody, .integer(other)),
        ]
        for (old, new) in owners {
            try database.run("UPDATE preview SET item = ? WHERE item = ?", new, old)
        }
        for (item, was) in [(other, name), (id, entry.name)] {
            try unsettle(item)
            try database.run("DELETE FROM failure WHERE item = ?", .integer(item))
            try log(.moved, item, source: merge.source.rawValue, path: path(folder, was))
        }
        // Who follows has just forgotten what the second one left: the first one is there now.
        try log(.changed, other)
        waiting[record.id] = RemovedItem(
            id: record.id, path: try merge.folder.path.appending(entry.name), previews: [])
        let was = RemovedItem(
            id: ItemID(rawValue: other), path: try merge.folder.path.appending(name), previews: [])
        return Self.merged(was.id, was)
    }

    private static func merged(_ id: ItemID, _ was: RemovedItem) -> MergedItem {
        MergedItem(id: id, status: .exchanged(from: was), state: .pending, plan: .none)
    }

    /// Whether a file is another one than was known under its name, and not its equal either.
    private static func isAnother(_ entry: Entry, _ known: Entry) -> Bool {
        entry.identifier != known.identifier && (entry.size != known.size || entry.modified != known.modified)
    }

    /// The file of a name, among those that are in the order of their names.
    private static func file(_ name: [UInt8], among files: [Entry]) -> Entry? {
        var (low, high) = (0, files.count)
        while low < high {
            let middle = low + (high - low) / 2
            if files[middle].name.lexicographicallyPrecedes(name) { low = middle + 1 } else { high = middle }
        }
        return low < files.count && files[low].name == name ? files[low] : nil
    }
}

import SQLite
import VitrineKit

/// A folder and all that is below it, but for other sources that lie in it.
struct FolderTree {
    /// A folder comes before those below it.
    var folders: [Int64] = []
    /// Those of them that lead to another source.
    var passages: Set<Int64> = []
}

// Whole branches of the tree of folders.
extension CatalogLedger {
    /// The folders of a branch.
    /// - Parameters:
    ///   - top: its first folder; nothing is found when it is one of `others` itself.
    ///   - others: folders that are left out with all that is below them.
    func subtree(of top: Int64, besides others: Set<FolderID>) throws(PluginError) -> FolderTree {
        var tree = FolderTree()
        // Only needed to find the way up again.
        var parents: [Int64: Int64] = [:]
        var pending = [top]
        while let folder = pending.popLast() {
            if others.contains(FolderID(rawValue: folder)) {
                var above = parents[folder]
                while let passage = above, tree.passages.insert(passage).inserted { above = parents[passage] }
                continue
            }
            tree.folders.append(folder)
            let below = try database.rows("SELECT id FROM folder WHERE parent = ?", .integer(folder)) { $0.integer(0) }
            if !others.isEmpty { for child in below { parents[child] = folder } }
            pending += below
        }
        return tree
    }

    /// Deletes a folder that is empty now, or makes it a passage.
    func delete(folder: Int64, isPassage: Bool) throws(PluginError) {
        try database.run("DELETE FROM tally WHERE folder = ?", .integer(folder))
        if isPassage {
            // Listed again as soon as it counts again.
            try forgetListing(of: folder)
            try setPassage(true, of: folder)
        } else {
            try database.run("DELETE FROM folder WHERE id = ?", .integer(folder))
        }
    }

    /// Writes down whether a folder is only there because of another source below it.
    func setPassage(_ isPassage: Bool, of folder: Int64) throws(PluginError) {
        try set(FolderFlag.passage, isPassage, of: folder)
    }

    /// Makes a condition of SQL on paths that lie below a folder, and below none of others.
    func condition(below base: ItemPath, besides others: [ItemPath]) -> (text: String, values: [Value]) {
        var text = "1"
        var values: [Value] = []
        func add(_ path: ItemPath, _ word: String) {
            // Behind '/' comes '0': between both lies all that begins with the folder's name and a slash.
            text += " AND \(word) (path >= ? AND path < ?)"
            values += [
                .bytes(path.bytes + [UInt8(ascii: "/")]), .bytes(path.bytes + [UInt8(ascii: "0")]),
            ]
        }
        if !base.isRoot { add(base, "") }
        for other in others { add(other, "NOT") }
        return (text, values)
    }
}

import SQLite
import VitrineKit

/// What a merge found to be gone from a folder, and did not take away yet: of a huge tree one part after the other, so
/// that others get a turn in between.
struct Vanishing: Sendable {
    /// The folder.
    let folder: Int64
    let source: Int64
    /// What is true of it once all of this is gone.
    let findings: FolderFindings
    /// Items right in the folder, the last ones first.
    var items: [Int64] = []
    /// Folders below it, each after the one that holds it.
    var tree = FolderTree()
    /// Those of the items and folders that were left out, and have no grace time.
    var excludedItems: Set<Int64> = []
    var excludedFolders: Set<Int64> = []
    /// How many items were taken away.
    var count = 0

    /// Whether nothing is left, and what is true of the folder is written down.
    var isDone = false

    /// How many items are taken away at once.
    static let batch = 2000
}

// Items and folders that are not where they were.
extension CatalogLedger {
    /// Finds out what is gone from a folder that was listed to its end.
    func vanishing(_ merge: FolderMerge, _ findings: FolderFindings) throws(PluginError) -> Vanishing {
        let id = merge.folder.id.rawValue
        var vanishing = Vanishing(folder: id, source: merge.source.rawValue, findings: findings)
        if merge.isNew { return vanishing }
        let items = try database.rows("SELECT id, name FROM item WHERE folder = ?", .integer(id)) {
            merge.seenItems.contains($0.integer(0)) ? nil : ($0.integer(0), merge.isExcluded($0.bytes(1)))
        }.compactMap { $0 }
        vanishing.items = items.map(\.0).reversed()
        vanishing.excludedItems = Set(items.filter(\.1).map(\.0))
        let folders = try database.rows("SELECT id, name FROM folder WHERE parent = ?", .integer(id)) {
            ($0.integer(0), $0.bytes(1))
        }
        for (folder, name) in folders where !merge.seenFolders.contains(folder) {
            let tree = try subtree(of: folder, besides: merge.others)
            if merge.isExcluded(name) { vanishing.excludedFolders.formUnion(tree.folders) }
            vanishing.tree.folders += tree.folders
            vanishing.tree.passages.formUnion(tree.passages)
        }
        return vanishing
    }

    /// Takes away some of what is gone from a folder, and all that is below. Other sources in it stay with all that is
    /// below them, and so do the folders that lead to these, as passages.
    ///
    /// As long as something is left, the folder counts as one that has to be listed: who is stopped on the way finds the
    /// rest once more.
    /// - Parameters:
    ///   - vanishing: what is left.
    ///   - room: how many items may be taken away; less by those that were.
    ///   - now: seconds since 1970.
    ///   - told: called with the path of each.
    /// - Returns: whether all of it was.
    func vanish(
        _ vanishing: inout Vanishing, room: inout Int, now: Int64, told: (ItemPath) -> Void
    ) throws(PluginError) -> Bool {
        while room > 0, let item = vanishing.items.popLast() {
            let since = vanishing.excludedItems.contains(item) ? 0 : now
            try vanish(item, source: vanishing.source, now: since, told: told)
            vanishing.count += 1
            room -= 1
        }
        if !vanishing.tree.folders.isEmpty { forgetPaths() }
        while room > 0, let folder = vanishing.tree.folders.last {
            let items = try database.rows(
                "SELECT id FROM item WHERE folder = ? LIMIT ?", .integer(folder), .count(room)
            ) { $0.integer(0) }
            let since = vanishing.excludedFolders.contains(folder) ? 0 : now
            for item in items { try vanish(item, source: vanishing.source, now: since, told: told) }
            vanishing.count += items.count
            // A folder costs about as much as an item.
            room -= items.count
            guard room > 0 else { break }
            room -= 1
            try delete(folder: folder, isPassage: vanishing.tree.passages.contains(folder))
            vanishing.tree.folders.removeLast()
        }
        guard vanishing.items.isEmpty, vanishing.tree.folders.isEmpty else {
            try forgetListing(of: vanishing.folder)
            return false
        }
        forgetPaths()
        let findings = vanishing.findings
        // A disk that was missing, and whose place was read all the same, is mounted there no more.
        let unmounted = FolderFlag.mountPoint | FolderFlag.missing
        try database.run(
            "UPDATE folder SET digest = ?, rules = ?, skipped = ?, plan = 0, "
                + "flags = ((CASE flags & ? WHEN 0 THEN flags ELSE flags & ~? END) & ~?) | ? WHERE id = ?",
            .bytes(findings.digest?.bytes), .integer(Int64(bitPattern: findings.rules)), .count(findings.skipped),
            .integer(FolderFlag.missing), .integer(unmounted), .integer(FolderFlag.rules),
            .integer(findings.hasRules ? FolderFlag.rules : 0), .integer(vanishing.folder))
        return true
    }

    /// Takes a folder away with all that is below it, at once: for one that holds little.
    func vanish(folder top: Int64, source: Int64, now: Int64) throws(PluginError) {
        for folder in try subtree(of: top, besides: []).folders.reversed() {
            let items = try database.rows("SELECT id FROM item WHERE folder = ?", .integer(folder)) { $0.integer(0) }
            for item in items { try vanish(item, source: source, now: now) { _ in } }
            try delete(folder: folder, isPassage: false)
        }
        forgetPaths()
    }
}

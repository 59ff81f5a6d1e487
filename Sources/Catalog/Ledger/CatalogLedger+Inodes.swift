import SQLite
import VitrineKit

extension Catalog {
    /// Brings the table of inodes so far that the next merge can do the rest, some ten thousand at a time, so that others
    /// get a turn. As long as no source was seen whole nobody asks for them: see ``FolderMerge``.
    /// - Throws: `cancelled` between two parts when the calling task is; the next call goes on from there.
    func completeInodes() throws(PluginError) {
        while true {
            let isDone = try with { ledger throws(PluginError) in
                guard try ledger.mayHaveMoved() else { return true }
                return try !ledger.lacksInodes(beyond: CatalogLedger.inodeBatch)
            }
            if isDone { return }
            if Task.isCancelled { throw PluginError(.cancelled, "the run was stopped") }
            _ = try change { ledger throws(PluginError) in try ledger.indexInodes() }
        }
    }
}

// Items by their inodes: where one was that is at another place now. The table is filled up to the item
// `named.inodes`, and kept up by triggers so far; filling it in the order of its keys is much cheaper than row by row.
extension CatalogLedger {
    /// How many items are put into the table at once: fewer touch nearly as many of its pages.
    static let inodeBatch = 50_000

    /// Whether an item that is new may be one that is known at another place. In a source that was never seen whole, as
    /// the only one, a file with a known inode is a hard link.
    func mayHaveMoved() throws(PluginError) -> Bool {
        try database.first("SELECT EXISTS(SELECT 1 FROM source WHERE indexed IS NOT NULL)") { $0.integer(0) } == 1
    }

    /// Whether more than so many items are not in the table yet.
    fileprivate func lacksInodes(beyond count: Int) throws(PluginError) -> Bool {
        try database.first(
            "SELECT 1 FROM item WHERE id > (SELECT inodes FROM named) LIMIT 1 OFFSET ?", .count(count)
        ) { $0.integer(0) } != nil
    }

    /// Puts the next items into the table.
    func indexInodes() throws(PluginError) {
        let rows = try database.rows(
            "SELECT id, inode FROM item WHERE id > (SELECT inodes FROM named) ORDER BY id LIMIT ?",
            .count(Self.inodeBatch)
        ) { ($0.integer(0), $0.optionalInteger(1)) }
        guard let last = rows.last?.0 else { return }
        let insertion = try database.statement("INSERT OR IGNORE INTO numbered VALUES (?, ?)")
        for (inode, item) in rows.compactMap({ row in row.1.map { ($0, row.0) } }).sorted(by: { $0 < $1 }) {
            insertion.bind(inode, at: 1)
            insertion.bind(item, at: 2)
            try insertion.run()
        }
        try database.run("UPDATE named SET inodes = ?", .integer(last))
    }
}

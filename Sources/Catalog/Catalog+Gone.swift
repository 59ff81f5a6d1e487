import SQLite
public import VitrineKit

extension Catalog {
    /// Takes items for good that vanished before a moment. Their previews can be deleted, but for those of items that
    /// are at the same place again, which are not told.
    /// - Parameters:
    ///   - moment: seconds since 1970.
    ///   - told: called with a source's URI and items of it, some hundred at a time.
    /// - Returns: how many there were.
    public func takeVanished(
        before moment: Int64, told: (String, [RemovedItem]) -> Void
    ) throws(PluginError) -> Int {
        var count = 0
        for source in try sources() {
            while true {
                let (taken, gone) = try change { ledger throws(PluginError) in
                    let all = try ledger.takeGone(before: moment, of: source.id.rawValue)
                    var gone: [RemovedItem] = []
                    for item in all where try !ledger.isThere(item.path, below: source.root.rawValue) {
                        gone.append(item)
                    }
                    return (all.count, gone)
                }
                guard taken > 0 else { break }
                if !gone.isEmpty { told(source.uri, gone) }
                count += gone.count
            }
            if source.state == .left { try change { ledger throws(PluginError) in try ledger.dropLeft(source.id) } }
        }
        return count
    }

    /// Keeps a source that is about to be walked from going with what vanished from it: see ``SourceRecord/State/left``.
    /// - Returns: whether it was there still.
    public func keep(_ source: SourceRecord) throws(PluginError) -> Bool {
        guard source.state == .left else { return true }
        return try change { ledger throws(PluginError) in
            try ledger.database.run("UPDATE source SET state = 0 WHERE id = ?", .integer(source.id.rawValue))
            return ledger.database.changes == 1
        }
    }

    /// The previews of items that vanished and may come back, by the first eight bytes of their names.
    public func vanishedPreviews() throws(PluginError) -> Set<UInt64> {
        let keys = try with { ledger throws(PluginError) in
            try ledger.database.rows("SELECT key FROM preview WHERE item IN (SELECT id FROM gone)") {
                UInt64(bitPattern: $0.integer(0))
            }
        }
        return Set(keys)
    }

    /// Whether a disk was mounted at a folder when it was last seen; not for one that is not known.
    public func isMountPoint(_ folder: ItemPath, of source: SourceID) throws(PluginError) -> Bool {
        try with { ledger throws(PluginError) in
            let root = try ledger.database.first("SELECT root FROM source WHERE id = ?", .integer(source.rawValue)) {
                $0.integer(0)
            }
            guard let root, let id = try ledger.knownFolder(folder, below: root) else { return false }
            return try ledger.database.first(
                "SELECT flags & ? FROM folder WHERE id = ?",
                .integer(CatalogLedger.FolderFlag.mountPoint | CatalogLedger.FolderFlag.missing), .integer(id)
            ) { $0.integer(0) } ?? 0 != 0
        }
    }

    /// Folders where disks were mounted when they were last seen, by the URI of their source.
    public func mountPoints() throws(PluginError) -> [(source: String, folder: ItemPath)] {
        try with { ledger throws(PluginError) in
            let rows = try ledger.database.rows(
                "SELECT s.uri, f.id FROM folder f JOIN source s ON s.id = f.source WHERE f.flags & ? <> 0",
                .integer(CatalogLedger.FolderFlag.mountPoint | CatalogLedger.FolderFlag.missing)
            ) { ($0.text(0), $0.integer(1)) }
            return try rows.map { uri, id throws(PluginError) in (uri, try ItemPath(try ledger.path(ofFolder: id))) }
        }
    }

    /// How many items vanished and still have previews.
    public var vanishedCount: Int {
        get throws(PluginError) {
            try with { ledger throws(PluginError) in
                try ledger.database.first("SELECT count(*) FROM gone") { Int($0.integer(0)) } ?? 0
            }
        }
    }
}

extension CatalogLedger {
    /// Forgets a source that was moved to another place, once nothing of it is left here.
    fileprivate func dropLeft(_ id: SourceID) throws(PluginError) {
        let record = try database.first("SELECT \(Self.sourceColumns) FROM source WHERE id = ?", .integer(id.rawValue))
        {
            Self.source($0)
        }
        guard let record, record.state == .left, try !awaitsVanished(of: record), try !holdsItems(record.root.rawValue),
            try database.first(
                "SELECT 1 FROM folder WHERE parent = ?", .integer(record.root.rawValue), row: { $0.integer(0) })
                == nil
        else { return }
        try keepName(of: record)
        try delete(folder: record.root.rawValue, isPassage: false)
        try database.run("DELETE FROM source WHERE id = ?", .integer(id.rawValue))
    }
}

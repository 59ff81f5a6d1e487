import SQLite
public import VitrineKit

extension Catalog {
    /// A folder, made with those above it when the catalog does not know it. What is made above it is a passage until
    /// the source's own walk comes by, which has to list the known folder that holds it once more.
    public func folder(_ path: ItemPath, in source: SourceRecord) throws(PluginError) -> FolderRecord {
        try change { ledger throws(PluginError) in
            let id = try ledger.enter(path, in: source)
            guard let record = try ledger.folder(id, path) else { throw ledger.lost("folder") }
            return record
        }
    }

    /// The folders right below one, by name.
    public func folders(in folder: FolderRecord) throws(PluginError) -> [FolderRecord] {
        try with { ledger throws(PluginError) in
            try ledger.database.rows(
                "SELECT \(CatalogLedger.folderColumns), name FROM folder WHERE parent = ? ORDER BY name",
                .integer(folder.id.rawValue)
            ) { row throws(PluginError) in CatalogLedger.folder(row, try folder.path.appending(row.bytes(8))) }
        }
    }

    /// Items right in a folder, by name.
    /// - Parameters:
    ///   - folder: the folder.
    ///   - name: only those after this one.
    ///   - limit: how many at most.
    public func items(
        in folder: FolderID, after name: [UInt8] = [], limit: Int = 1000
    ) throws(PluginError) -> [ItemRecord] {
        try with { ledger throws(PluginError) in
            try ledger.database.rows(
                "SELECT \(CatalogLedger.itemColumns) FROM item WHERE folder = ? AND name > ? ORDER BY name LIMIT ?",
                .integer(folder.rawValue), .bytes(name), .count(limit)
            ) { CatalogLedger.item($0) }
        }
    }

    /// How many folders are known in one, with itself.
    public func folderCount(below path: ItemPath, in source: SourceRecord) throws(PluginError) -> Int {
        try with { ledger throws(PluginError) in
            guard let top = try ledger.knownFolder(path, in: source) else { return 0 }
            return try ledger.database.first(
                """
                WITH RECURSIVE below(id) AS (
                    VALUES (?1) UNION ALL SELECT folder.id FROM folder JOIN below ON folder.parent = below.id)
                SELECT count(*) FROM below
                """, .integer(top)
            ) { Int($0.integer(0)) } ?? 0
        }
    }

    /// How the items of a folder ended, when its plan was reached.
    public func tallies(of folder: FolderID) throws(PluginError) -> [Tally] {
        try with { ledger throws(PluginError) in
            try ledger.database.rows(
                "SELECT r.title, t.state, t.count FROM tally t LEFT JOIN renderer r ON r.id = t.renderer WHERE t.folder = ?",
                .integer(folder.rawValue)
            ) {
                Tally(
                    title: $0.optionalText(0), state: ItemState(rawValue: $0.integer(1)) ?? .pending,
                    count: Int($0.integer(2)))
            }
        }
    }

    /// Whether a file or folder of one of these names is known right in a folder.
    public func holdsAny(of names: some Sequence<[UInt8]>, in folder: FolderID) throws(PluginError) -> Bool {
        try with { ledger throws(PluginError) in
            for name in names {
                let isKnown = try ledger.database.first(
                    "SELECT EXISTS(SELECT 1 FROM item WHERE folder = ?1 AND name = ?2) "
                        + "OR EXISTS(SELECT 1 FROM folder WHERE parent = ?1 AND name = ?2)",
                    .integer(folder.rawValue), .bytes(name)
                ) { $0.integer(0) }
                if isKnown == 1 { return true }
            }
            return false
        }
    }

    /// Writes down whether a folder is the root of a mounted file system.
    public func note(isMountPoint: Bool, of folder: FolderID) throws(PluginError) {
        try change { ledger throws(PluginError) in
            try ledger.set(CatalogLedger.FolderFlag.mountPoint, isMountPoint, of: folder.rawValue)
        }
    }

    /// The failures of items right in a folder.
    public func failures(in folder: FolderRecord) throws(PluginError) -> [FailureRecord] {
        try with { ledger throws(PluginError) in
            try ledger.database.rows(
                "SELECT i.name, f.code, f.message, r.name, r.version, r.title, i.id FROM item i JOIN failure f ON f.item = i.id "
                    + "LEFT JOIN renderer r ON r.id = i.renderer WHERE i.folder = ? ORDER BY i.name",
                .integer(folder.id.rawValue)
            ) { row throws(PluginError) in
                FailureRecord(
                    item: ItemID(rawValue: row.integer(6)), path: try folder.path.appending(row.bytes(0)),
                    error: PluginError(PluginError.Code(rawValue: row.text(1)), row.text(2)),
                    renderer: row.isNull(3)
                        ? nil : RendererRecord(name: row.text(3), version: row.text(4), title: row.text(5)))
            }
        }
    }
}

/// What the catalog knows of an item.
public struct ItemRecord: Hashable, Sendable {
    /// Its number.
    public let id: ItemID
    /// What its storage said of it when it was last listed.
    public var entry: Entry
    /// How the work on it ended.
    public var state: ItemState
    /// The plan under which it ended so.
    public var plan: PlanID
    /// The renderer that was asked, if any.
    public var renderer: RendererID?
}

/// A failure that stays until the item, the renderer or the plan changes.
public struct FailureRecord: Hashable, Sendable {
    /// The item.
    public var item: ItemID
    /// Where the item lies in its source.
    public var path: ItemPath
    /// Why it has no preview.
    public var error: PluginError
    /// The renderer that met it.
    public var renderer: RendererRecord?
}

extension CatalogLedger {
    static let folderColumns = "id, digest, rules, volume, flags, skipped, plan, parent"
    static let itemColumns = "id, name, size, seconds, nanoseconds, inode, etag, state, plan, renderer"

    /// What the bits of a folder's flags mean.
    enum FolderFlag {
        static let mountPoint: Int64 = 1
        static let rules: Int64 = 2
        static let missing: Int64 = 4
        static let passage: Int64 = 8
    }

    /// Sets or clears a flag of a folder, where that changes it.
    func set(_ flag: Int64, _ isSet: Bool, of folder: Int64) throws(PluginError) {
        try database.run(
            "UPDATE folder SET flags = (flags & ~?1) | ?2 WHERE id = ?3 AND flags & ?1 <> ?2", .integer(flag),
            .integer(isSet ? flag : 0), .integer(folder))
    }

    static func folder(_ row: Statement, _ path: ItemPath) -> FolderRecord {
        FolderRecord(
            id: FolderID(rawValue: row.integer(0)), path: path,
            digest: row.optionalBytes(1).flatMap { FolderDigest(bytes: $0) },
            rules: UInt64(bitPattern: row.integer(2)),
            volume: row.optionalInteger(3).map { UInt64(bitPattern: $0) },
            isMountPoint: row.integer(4) & FolderFlag.mountPoint != 0,
            isMountMissing: row.integer(4) & FolderFlag.missing != 0,
            isPassage: row.integer(4) & FolderFlag.passage != 0,
            hasRules: row.integer(4) & FolderFlag.rules != 0,
            skipped: Int(row.integer(5)), plan: PlanID(rawValue: row.integer(6)))
    }

    static func item(_ row: Statement) -> ItemRecord {
        var entry = Entry(name: row.bytes(1), kind: .file, size: row.optionalInteger(2))
        if let seconds = row.optionalInteger(3) {
            entry.modified = Timestamp(seconds: seconds, nanoseconds: UInt32(clamping: row.integer(4)))
        }
        entry.identifier = row.optionalInteger(5).map { UInt64(bitPattern: $0) }
        entry.etag = row.optionalText(6)
        return ItemRecord(
            id: ItemID(rawValue: row.integer(0)), entry: entry,
            state: ItemState(rawValue: row.integer(7)) ?? .pending, plan: PlanID(rawValue: row.integer(8)),
            renderer: row.optionalInteger(9).map { RendererID(rawValue: $0) })
    }

    func folder(_ id: Int64, _ path: ItemPath) throws(PluginError) -> FolderRecord? {
        try database.first("SELECT \(Self.folderColumns) FROM folder WHERE id = ?", .integer(id)) {
            Self.folder($0, path)
        }
    }

    /// The number of a folder in a folder; a new one when there is none.
    func subfolder(
        _ name: [UInt8], of parent: Int64, source: Int64
    ) throws(PluginError) -> (id: Int64, isNew: Bool) {
        if let known = try knownSubfolder(name, of: parent) { return (known, false) }
        try database.run(
            "INSERT INTO folder(source, parent, name) VALUES (?, ?, ?)", .integer(source), .integer(parent),
            .bytes(name))
        return (database.lastRow, true)
    }

    /// The number of a folder in a folder, if there is one.
    func knownSubfolder(_ name: [UInt8], of parent: Int64) throws(PluginError) -> Int64? {
        try database.first(
            "SELECT id FROM folder WHERE parent = ? AND name = ?", .integer(parent), .bytes(name)
        ) { $0.integer(0) }
    }

    /// The number of a folder of a source, if it is known.
    func knownFolder(_ path: ItemPath, in source: SourceRecord) throws(PluginError) -> Int64? {
        try knownFolder(path, below: source.root.rawValue)
    }

    /// The number of a folder below another one, if it is known.
    func knownFolder(_ path: ItemPath, below root: Int64) throws(PluginError) -> Int64? {
        var id = root
        for name in path.bytes.split(separator: UInt8(ascii: "/")) {
            guard let next = try knownSubfolder(Array(name), of: id) else { return nil }
            id = next
        }
        return id
    }

    /// The number of a folder of a source that was not found by a walk from above, made with those above it when it is
    /// not known. What is made above it is a passage, and the folder that holds the first of them is not what it was:
    /// it has to be listed again.
    func enter(_ path: ItemPath, in source: SourceRecord) throws(PluginError) -> Int64 {
        var id = source.root.rawValue
        var made: [Int64] = []
        for name in path.bytes.split(separator: UInt8(ascii: "/")) {
            let (folder, isNew) = try subfolder(Array(name), of: id, source: source.id.rawValue)
            if isNew, made.isEmpty { try forgetListing(of: id) }
            if isNew { made.append(folder) }
            id = folder
        }
        for above in made where above != id { try setPassage(true, of: above) }
        return id
    }

    /// Has a folder listed by the next walk, whatever its backend says of it.
    func forgetListing(of folder: Int64) throws(PluginError) {
        try database.run("UPDATE folder SET digest = NULL, plan = 0 WHERE id = ?", .integer(folder))
    }

    func lost(_ what: String) -> PluginError {
        PluginError(.corrupt, "the catalog '\(DisplayText.of(database.path))' lost a \(what) that it was given")
    }
}

extension FolderDigest {
    /// The digest as the catalog keeps it: sixteen bytes, little-endian.
    var bytes: [UInt8] {
        [low, high].flatMap { word in (0..<8).map { UInt8(truncatingIfNeeded: word >> (8 * $0)) } }
    }

    init?(bytes: [UInt8]) {
        guard bytes.count == 16 else { return nil }
        func word(_ bytes: ArraySlice<UInt8>) -> UInt64 { bytes.reversed().reduce(0) { $0 << 8 | UInt64($1) } }
        self.init(low: word(bytes[..<8]), high: word(bytes[8...]))
    }
}

import SQLite
public import VitrineKit

extension Catalog {
    /// A folder, made with those above it when the catalog does not know it.
    public func folder(_ path: ItemPath, in source: SourceRecord) throws(PluginError) -> FolderRecord {
        try change { ledger throws(PluginError) in
            var id = source.root.rawValue
            for name in path.bytes.split(separator: UInt8(ascii: "/")) {
                id = try ledger.enter(Array(name), of: id, source: source.id.rawValue)
            }
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

    /// What people call what the renderers render, by number.
    public func titles() throws(PluginError) -> [RendererID: String] {
        let rows = try with { ledger throws(PluginError) in
            try ledger.database.rows("SELECT id, title FROM renderer") {
                (RendererID(rawValue: $0.integer(0)), $0.text(1))
            }
        }
        return Dictionary(rows) { $1 }
    }

    /// Writes down whether a folder is the root of a mounted file system.
    public func note(isMountPoint: Bool, of folder: FolderID) throws(PluginError) {
        try change { ledger throws(PluginError) in
            try ledger.database.run(
                "UPDATE folder SET flags = (flags & ~1) | ?1 WHERE id = ?2 AND flags & 1 <> ?1",
                .integer(isMountPoint ? CatalogLedger.FolderFlag.mountPoint : 0), .integer(folder.rawValue))
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

/// A renderer by its names.
public struct RendererRecord: Hashable, Sendable {
    /// Its id.
    public var name: String
    /// Its version.
    public var version: String
    /// What people call what it renders.
    public var title: String

    /// Creates a record.
    public init(name: String, version: String, title: String) {
        self.name = name
        self.version = version
        self.title = title
    }
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
    }

    static func folder(_ row: Statement, _ path: ItemPath) -> FolderRecord {
        FolderRecord(
            id: FolderID(rawValue: row.integer(0)), path: path,
            digest: row.optionalBytes(1).flatMap { FolderDigest(bytes: $0) },
            rules: UInt64(bitPattern: row.integer(2)),
            volume: row.optionalInteger(3).map { UInt64(bitPattern: $0) },
            isMountPoint: row.integer(4) & FolderFlag.mountPoint != 0,
            isMountMissing: row.integer(4) & FolderFlag.missing != 0,
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
        let known = try database.first(
            "SELECT id FROM folder WHERE parent = ? AND name = ?", .integer(parent), .bytes(name)
        ) { $0.integer(0) }
        if let known { return (known, false) }
        try database.run(
            "INSERT INTO folder(source, parent, name) VALUES (?, ?, ?)", .integer(source), .integer(parent),
            .bytes(name))
        return (database.lastRow, true)
    }

    /// The number of a folder in a folder that was not listed: if it is a new one, that folder is not what it was.
    func enter(_ name: [UInt8], of parent: Int64, source: Int64) throws(PluginError) -> Int64 {
        let (id, isNew) = try subfolder(name, of: parent, source: source)
        if isNew { try database.run("UPDATE folder SET digest = NULL, plan = 0 WHERE id = ?", .integer(parent)) }
        return id
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

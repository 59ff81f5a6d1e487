import SQLite
import VitrineKit

/// The tables of the catalog, and how an older file becomes a present one.
///
/// ```
/// source ─< folder ─< item ─< preview
///              └─< tally      ├─ fact, failure, type, renderer
/// change: what happened, each with the next number, the version; items that were added one after the other share a row
/// gone:   items that vanished, with their previews, until their grace time is over
/// part:   how looks at registered sources went that lie in a larger source
/// plan:   what a run wanted, so that a folder that was brought there needs no second look
/// ```
///
/// Numbers of items are never given twice: changes, previews and what vanished outlive the items.
///
/// Times of files are seconds and nanoseconds apart, since file systems know moments that nanoseconds in 64 bits do not
/// reach. Names and paths are bytes.
enum CatalogSchema {
    /// The version that this program writes, in `user_version`.
    static let version: Int64 = 5

    /// "Vitr", in `application_id`.
    static let applicationID: Int64 = 0x5669_7472

    /// How each version is made of the one before.
    static let migrations: [String] = [
        """
        CREATE TABLE meta(key TEXT PRIMARY KEY, value) WITHOUT ROWID;
        CREATE TABLE source(
            id INTEGER PRIMARY KEY AUTOINCREMENT, uri TEXT NOT NULL UNIQUE, root INTEGER NOT NULL, state INTEGER NOT NULL DEFAULT 0,
            reason TEXT, indexed INTEGER, checked INTEGER);
        CREATE TABLE folder(
            id INTEGER PRIMARY KEY AUTOINCREMENT, source INTEGER NOT NULL, parent INTEGER, name BLOB NOT NULL, digest BLOB,
            rules INTEGER, volume INTEGER, flags INTEGER NOT NULL DEFAULT 0, skipped INTEGER NOT NULL DEFAULT 0,
            plan INTEGER NOT NULL DEFAULT 0);
        CREATE UNIQUE INDEX folder_place ON folder(parent, name);
        CREATE TABLE item(
            id INTEGER PRIMARY KEY AUTOINCREMENT, folder INTEGER NOT NULL, name BLOB NOT NULL, size INTEGER, seconds INTEGER,
            nanoseconds INTEGER, inode INTEGER, etag TEXT, state INTEGER NOT NULL DEFAULT 0,
            plan INTEGER NOT NULL DEFAULT 0, renderer INTEGER, type INTEGER, head INTEGER, content BLOB);
        CREATE UNIQUE INDEX item_place ON item(folder, name);
        CREATE INDEX item_inode ON item(inode) WHERE inode IS NOT NULL;
        CREATE INDEX item_twin ON item(size, head) WHERE head IS NOT NULL;
        CREATE TABLE preview(
            item INTEGER NOT NULL, size INTEGER NOT NULL, variant TEXT NOT NULL DEFAULT '', key INTEGER NOT NULL,
            PRIMARY KEY(item, size, variant)) WITHOUT ROWID;
        CREATE TABLE fact(
            item INTEGER PRIMARY KEY, pages INTEGER, width INTEGER, height INTEGER, milliseconds INTEGER, title TEXT);
        CREATE TABLE failure(item INTEGER PRIMARY KEY, code TEXT NOT NULL, message TEXT NOT NULL);
        CREATE TABLE type(id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE);
        CREATE TABLE renderer(
            id INTEGER PRIMARY KEY, name TEXT NOT NULL, version TEXT NOT NULL, title TEXT NOT NULL,
            UNIQUE(name, version, title));
        CREATE TABLE plan(id INTEGER PRIMARY KEY, digest BLOB NOT NULL UNIQUE);
        CREATE TABLE tally(
            folder INTEGER NOT NULL, renderer INTEGER NOT NULL, state INTEGER NOT NULL, count INTEGER NOT NULL,
            PRIMARY KEY(folder, renderer, state)) WITHOUT ROWID;
        CREATE TABLE change(
            version INTEGER PRIMARY KEY, kind INTEGER NOT NULL, item INTEGER NOT NULL, source INTEGER, path BLOB);
        CREATE TABLE gone(
            id INTEGER PRIMARY KEY, source INTEGER NOT NULL, path BLOB NOT NULL, size INTEGER, seconds INTEGER,
            nanoseconds INTEGER, inode INTEGER, head INTEGER, content BLOB, state INTEGER NOT NULL, plan INTEGER NOT NULL,
            renderer INTEGER, type INTEGER, since INTEGER NOT NULL);
        CREATE INDEX gone_inode ON gone(inode) WHERE inode IS NOT NULL;
        CREATE INDEX gone_twin ON gone(size, head) WHERE head IS NOT NULL;
        """,
        finding,
        """
        ALTER TABLE source ADD COLUMN since INTEGER;
        CREATE TABLE part(
            uri TEXT PRIMARY KEY, state INTEGER NOT NULL DEFAULT 0, reason TEXT, indexed INTEGER, checked INTEGER,
            since INTEGER) WITHOUT ROWID;
        """,
        "CREATE INDEX gone_age ON gone(source, since);" + sizes,
        adding,
    ]

    /// What a file of the present version holds.
    private static let tables = [
        "meta", "source", "folder", "item", "preview", "fact", "failure", "type", "renderer", "plan", "tally", "change",
        "gone", "part", "named", "recent", "sized", "stale", "document",
        "numbered",
    ]

    /// Brings a file to the present version.
    /// - Returns: whether it was empty before.
    /// - Throws: `unsupported` for a file of a newer version or of another program, `corrupt`, `busy`.
    static func prepare(_ database: Database, now: Int64) throws(PluginError) -> Bool {
        try database.keepLog()
        try database.execute(
            "PRAGMA synchronous = NORMAL; PRAGMA cache_size = -16000; PRAGMA temp_store = MEMORY; "
                + "PRAGMA secure_delete = ON"
        )
        // Who only asks need not wait for those who write.
        if try database.snapshot({ () throws(PluginError) in try isPresent(database) }) { return false }
        return try database.transaction { () throws(PluginError) in
            let found = try foundVersion(database)
            for migration in migrations.dropFirst(Int(found)) { try database.execute(migration) }
            try lookForTables(database)
            guard found < version else { return false }
            try database.execute("PRAGMA user_version = \(version); PRAGMA application_id = \(applicationID)")
            guard found == 0 else { return false }
            // A number that no earlier catalog of this user reached, so that who followed that one is told to take the
            // whole: a catalog does not change a million times a second.
            let first = max(1, now) * 1_000_000
            try database.run("INSERT INTO meta VALUES ('version', ?), ('oldest', ?)", .integer(first), .integer(first))
            return true
        }
    }

    /// Whether a file is of the present version, with all that belongs into it.
    private static func isPresent(_ database: Database) throws(PluginError) -> Bool {
        guard try foundVersion(database) == version else { return false }
        try lookForTables(database)
        return true
    }

    /// Finds out whether a file that cannot be changed is of the present version.
    /// - Throws: `unsupported` for one of any other version or program, `corrupt`.
    static func check(_ database: Database) throws(PluginError) {
        try database.execute("PRAGMA cache_size = -16000; PRAGMA temp_store = MEMORY")
        try database.snapshot { () throws(PluginError) in
            guard try isPresent(database) else {
                throw PluginError(
                    .unsupported,
                    "the catalog '\(DisplayText.of(database.path))' was written by an earlier version of Vitrine, and cannot be "
                        + "changed to be read by this one; make it writable once")
            }
        }
    }

    /// The version of a file, 0 for an empty one.
    private static func foundVersion(_ database: Database) throws(PluginError) -> Int64 {
        let path = DisplayText.of(database.path)
        let found = try pragma("user_version", database)
        let owner = try pragma("application_id", database)
        guard owner == applicationID || (owner == 0 && found == 0) else {
            throw PluginError(.unsupported, "the file '\(path)' is no catalog of Vitrine; move it away")
        }
        guard found <= version else {
            throw newerVersion(
                database,
                "was written by a newer version of Vitrine; use that version, or delete the file: a new one is made by "
                    + "the next run")
        }
        guard found >= 0, found > 0 || owner == 0 else {
            throw PluginError(.corrupt, "the catalog '\(path)' is damaged: its version is \(found)")
        }
        return found
    }

    /// Of each table only whether it is there: reading all of them is for Catalog.check().
    private static func lookForTables(_ database: Database) throws(PluginError) {
        for table in tables { _ = try database.statement("SELECT 1 FROM \(table) LIMIT 0") }
    }

    /// Why a catalog of a newer version is left alone.
    static func newerVersion(_ database: Database, _ clause: String) -> PluginError {
        PluginError(.unsupported, "the catalog '\(DisplayText.of(database.path))' \(clause)")
    }

    private static func pragma(_ name: String, _ database: Database) throws(PluginError) -> Int64 {
        try database.first("PRAGMA \(name)") { $0.integer(0) } ?? 0
    }
}

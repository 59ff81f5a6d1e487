import Glibc
import SQLite
import VitrineKit

extension Library {
    /// Written into the file's header, so that it is known for what it is: "VtLb".
    static let applicationID: Int64 = 0x5674_4C62

    /// Makes folder and file for the user alone. An existing file is not opened here: closing it would give up the
    /// locks that another connection of this process has on it.
    /// - Throws: `corrupt` for a library that is gone while its backup is there, and what to do about it; `forbidden` …
    static func prepare(_ place: LibraryPlace) throws(PluginError) {
        try LibraryPlace.make(place.folder)
        var status = stat()
        if stat(place.file, &status) == 0, status.st_size > 0 {
            // WAL and shared memory files take the mode of the database.
            if status.st_mode & 0o077 != 0 { chmod(place.file, 0o600) }
            return
        }
        // An empty library in place of a lost one would in time take the backup's place as well.
        if access(place.backup, F_OK) == 0 {
            throw PluginError(
                .corrupt,
                "the library '\(DisplayText.of(place.file))' is gone, but its backup is there; 'vitrine library "
                    + "restore' brings it back (to begin anew, move '\(DisplayText.of(place.backup))' away)")
        }
        let fd = open(place.file, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        if fd >= 0 { close(fd) }
    }

    /// Opens the database, after it is known to be one that this version may write to.
    static func connect(_ place: LibraryPlace) throws(PluginError) -> Database {
        try refuseForeign(place)
        let database = try Database(place.file)
        try check(database, place)
        try database.execute("PRAGMA foreign_keys = ON")
        if try schemaVersion(database) < Int64(migrations.count) { try migrate(database, place) }
        let mode = try database.first("PRAGMA journal_mode") { $0.text(0) }
        if mode != "wal" {
            // Another process may be at it at the same moment; either journal keeps everything.
            do throws(PluginError) { try database.execute("PRAGMA journal_mode = WAL") } catch {
                if error.code == .corrupt { throw error }
            }
        }
        return database
    }

    private static func migrate(_ database: Database, _ place: LibraryPlace) throws(PluginError) {
        try database.transaction { () throws(PluginError) in
            // Another process may have been faster.
            try check(database, place)
            let version = try schemaVersion(database)
            for migration in migrations.dropFirst(Int(clamping: version)) { try database.execute(migration) }
            try database.execute("PRAGMA application_id = \(applicationID)")
            try database.execute("PRAGMA user_version = \(max(Int64(migrations.count), version))")
        }
    }

    /// Looks at the file through a connection that cannot change it: one that could would already move a newer
    /// version's log into the file.
    private static func refuseForeign(_ place: LibraryPlace) throws(PluginError) {
        var status = stat()
        guard stat(place.file, &status) == 0, status.st_size > 0 else { return }
        do throws(PluginError) { try check(try Database(place.file, access: .readOnly), place) } catch {
            // Such a connection cannot take back what a killed process left half done; then the other one looks.
            if error.code == .corrupt || error.code == .unsupported { throw error }
        }
    }

    private static func check(_ database: Database, _ place: LibraryPlace) throws(PluginError) {
        let name = "the library '\(DisplayText.of(place.file))'"
        // All at one moment: another process may be making the library. A new file says nothing of whose it is; one with
        // tables is somebody's.
        let (id, version, tables) =
            try database.first(
                """
                SELECT (SELECT application_id FROM pragma_application_id), (SELECT user_version FROM pragma_user_version),
                    (SELECT count(*) FROM sqlite_schema)
                """
            ) { ($0.integer(0), $0.integer(1), $0.integer(2)) } ?? (0, 0, 0)
        let isNew = id == 0 && version == 0 && tables == 0
        guard id == applicationID || isNew else {
            throw PluginError(.unsupported, "\(name) is a database of another program; move it away")
        }
        guard 0...Int64(migrations.count) ~= version else {
            throw PluginError(
                .unsupported,
                "\(name) was written by a newer version of Vitrine (format \(version), this one knows "
                    + "\(migrations.count)); update Vitrine, nothing was changed")
        }
    }

    /// Refuses what cannot be read without being brought to the present format first.
    /// - Parameter refusal: why it cannot be.
    static func checkFormat(
        _ database: Database, _ place: LibraryPlace, since refusal: PluginError
    ) throws(PluginError) {
        try check(database, place)
        let version = try schemaVersion(database)
        if version == Int64(migrations.count) { return }
        if refusal.code == .noSpace { throw refusal }
        throw PluginError(
            .unsupported,
            "the library '\(DisplayText.of(place.file))' was written by an earlier version of Vitrine, and is brought to "
                + "the present format where it can be written to; make it and its folder writable for once")
    }

    private static func schemaVersion(_ database: Database) throws(PluginError) -> Int64 {
        try integer(database, "PRAGMA user_version")
    }

    private static func integer(_ database: Database, _ sql: String) throws(PluginError) -> Int64 {
        try database.first(sql) { $0.integer(0) } ?? 0
    }

    /// Says what to do about a damaged file.
    static func explained(_ error: PluginError, _ place: LibraryPlace) -> PluginError {
        guard error.code == .corrupt else { return error }
        let backup = access(place.backup, F_OK) == 0
        return PluginError(
            .corrupt,
            error.message + "; nothing was changed. "
                + (backup
                    ? "'vitrine library restore' sets it aside and brings back the backup"
                    : "There is no backup: 'vitrine library restore' sets it aside, and an empty one is begun"))
    }
}

import Glibc
import SQLite
public import VitrineKit

/// What can be done for a library that cannot be opened any more.
public enum LibraryCare {
    /// Looks through the whole file.
    /// - Returns: what is wrong, at most a hundred findings; nothing when all is well.
    /// - Throws: as ``Library/openToRead(at:announce:)`` does.
    public static func check(_ place: LibraryPlace) throws(PluginError) -> [String] {
        let library = try Library.openToRead(at: place)
        // There is nothing that could be sound.
        if library.isAbsent { try library.checkCanChange() }
        return try library.read { (database) throws(PluginError) in
            var found = try database.rows("PRAGMA integrity_check(100)") { $0.text(0) }
            found.removeAll { $0 == "ok" }
            found += try database.rows("PRAGMA foreign_key_check") { "a row of \($0.text(0)) belongs to nothing" }
            return found
        }
    }

    /// Sets the library aside, as it is, and puts the backup into its place if there is one.
    ///
    /// Nothing is deleted: the library's files get `.damaged-DATE` at the end of their names.
    /// - Parameter place: no other process may use it meanwhile.
    /// - Returns: where the library is now, `nil` when there was none; whether there was a backup.
    /// - Throws: what the system says. What was moved stays moved.
    public static func restore(_ place: LibraryPlace) throws(PluginError) -> (aside: String?, restored: Bool) {
        let backup = place.backup
        let hasBackup = access(backup, F_OK) == 0
        if hasBackup {
            let problems = try Database(backup, access: .readOnly).rows("PRAGMA quick_check(1)") { $0.text(0) }
            guard problems == ["ok"] else {
                throw PluginError(
                    .corrupt, "the backup '\(DisplayText.of(backup))' is damaged, too; nothing was changed")
            }
        }
        var aside: String?
        if access(place.file, F_OK) == 0 {
            let target = free(place.file + ".damaged-" + date())
            // The log first: without it the file is an older state, with a strange one it would be destroyed.
            for suffix in ["-wal", "-shm", ""] where access(place.file + suffix, F_OK) == 0 {
                guard rename(place.file + suffix, target + suffix) == 0 else {
                    throw PluginError(errno: errno, "cannot move '\(DisplayText.of(place.file + suffix))' aside")
                }
            }
            aside = target
        }
        if hasBackup { try copy(place) }
        return (aside, hasBackup)
    }

    /// The backup stays: what was restored is still the only state that is known to be good.
    private static func copy(_ place: LibraryPlace) throws(PluginError) {
        let temporary = "\(place.backup)-\(getpid())-restored"
        let fd = open(temporary, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard fd >= 0 else { throw PluginError(errno: errno, "cannot write '\(DisplayText.of(temporary))'") }
        close(fd)
        do throws(PluginError) {
            try Database(place.backup, access: .readOnly).run("VACUUM INTO ?", .text(temporary))
            try Library.flush(temporary, "'\(DisplayText.of(temporary))'")
            guard rename(temporary, place.file) == 0 else {
                throw PluginError(errno: errno, "cannot put the backup into the place of the library")
            }
        } catch {
            unlink(temporary)
            throw error
        }
    }

    private static func free(_ path: String) -> String {
        var candidate = path
        var number = 1
        while access(candidate, F_OK) == 0, number < 1000 {
            candidate = "\(path).\(number)"
            number += 1
        }
        return candidate
    }

    /// Today in UTC, as `2025-01-31`.
    private static func date() -> String {
        var now = time(nil)
        var parts = tm()
        gmtime_r(&now, &parts)
        func two(_ number: CInt) -> String { number < 10 ? "0\(number)" : "\(number)" }
        return "\(1900 + parts.tm_year)-\(two(parts.tm_mon + 1))-\(two(parts.tm_mday))"
    }
}

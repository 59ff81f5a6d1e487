import Glibc
import SQLite
import Synchronization
public import VitrineKit

extension Library {
    /// Seconds between two backups.
    private static let backupInterval: Int64 = 86_400

    /// Writes a copy of the library to ``LibraryPlace/backup``, which takes the place of the one before as a whole.
    ///
    /// Done without being asked when the last one is a day old and something has changed since.
    /// - Throws: `corrupt` when the library is damaged: its backup stays what it was. `noSpace`, `forbidden`, `io`.
    public func backUp() throws(PluginError) {
        try read { (database) throws(PluginError) in try Self.backUp(database, place) }
    }

    /// A backup that fails does not fail what the user asked for.
    func backUpIfDue() {
        do throws(PluginError) {
            try read { (database) throws(PluginError) in
                // What cannot be changed needs no other copy than the last one.
                if database.isReadOnly { return }
                var status = stat()
                if stat(place.backup, &status) == 0 {
                    let age = Self.now - Int64(status.st_mtim.tv_sec)
                    // A date in the future says nothing.
                    if 0..<Self.backupInterval ~= age { return }
                    let copied = try? Self.version(Database(place.backup, access: .readOnly))
                    if try copied == Self.version(database) {
                        utimensat(AT_FDCWD, place.backup, nil, 0)
                        return
                    }
                } else if try Self.version(database) == 0 {
                    return
                }
                try Self.backUp(database, place)
            }
            backupFailure.withLock { $0 = nil }
        } catch {
            backupFailure.withLock { $0 = error }
        }
    }

    private static func backUp(_ database: Database, _ place: LibraryPlace) throws(PluginError) {
        let problems = try database.rows("PRAGMA quick_check(1)") { $0.text(0) }
        guard problems == ["ok"] else {
            throw PluginError(
                .corrupt,
                "the database '\(DisplayText.of(place.file))' is damaged (\(problems.first ?? "no answer"))")
        }
        removeUnfinishedBackups(place)
        let temporary = "\(place.backup)-\(getpid())-\(String(UInt64.random(in: 0 ... .max), radix: 16))"
        let name = "the backup '\(DisplayText.of(place.backup))'"
        // SQLite takes an empty file for its target, and so it is the user's alone from the start.
        let fd = open(temporary, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard fd >= 0 else { throw PluginError(errno: errno, "cannot make \(name)") }
        close(fd)
        do throws(PluginError) {
            try database.run("VACUUM INTO ?", .text(temporary))
            try flush(temporary, name)
            guard rename(temporary, place.backup) == 0 else {
                throw PluginError(errno: errno, "cannot put \(name) into its place")
            }
        } catch {
            unlink(temporary)
            throw error
        }
        try? flush(place.folder, name)
    }

    static func flush(_ path: String, _ name: String) throws(PluginError) {
        let fd = open(path, O_RDONLY | O_CLOEXEC)
        guard fd >= 0 else { throw PluginError(errno: errno, "cannot write \(name)") }
        defer { close(fd) }
        guard fsync(fd) == 0 else { throw PluginError(errno: errno, "cannot write \(name)") }
    }

    /// Removes what killed processes left behind.
    private static func removeUnfinishedBackups(_ place: LibraryPlace) {
        guard let stream = opendir(place.folder) else { return }
        defer { closedir(stream) }
        let prefix = "library.sqlite.backup-"
        while let entry = readdir(stream) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) {
                $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            guard name.hasPrefix(prefix), let process = name.dropFirst(prefix.count).split(separator: "-").first,
                let pid = pid_t(process), pid > 0, kill(pid, 0) != 0, errno == ESRCH
            else { continue }
            unlink("\(place.folder)/\(name)")
        }
    }
}

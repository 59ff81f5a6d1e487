import Glibc
import SQLite
public import VitrineKit

// A library where nothing can be written: on a disk that is mounted read-only, of another user, on a full disk.
extension Library {
    /// Opens a library for who may only want to ask it. It is opened as ``init(at:announce:)`` does wherever that can be;
    /// where it cannot be written to, it is read as it is, and whoever changes something is told why that cannot be. One that
    /// is not there and cannot be made is empty, as a new one would be.
    /// - Parameters:
    ///   - place: where it lies.
    ///   - announce: as there.
    /// - Throws: as there; `forbidden` also when there are changes beside the file that nobody can read there, `unsupported`
    ///   also when an earlier version wrote it, `noSpace` when there is no room to bring it to the present format.
    public static func openToRead(
        at place: LibraryPlace, announce: @escaping @Sendable (LibraryEvent) -> Void = { _ in }
    ) throws(PluginError) -> Library {
        do throws(PluginError) { return try Library(at: place, announce: announce) } catch {
            guard [.forbidden, .noSpace].contains(error.code) else { throw error }
            do throws(PluginError) { return try Library(reading: place, since: error) } catch {
                throw explained(error, place)
            }
        }
    }

    /// Opens the file of a library that cannot be written to.
    /// - Parameter refusal: why not.
    /// - Returns: `nil` when nothing was ever written to it.
    static func frozen(
        _ place: LibraryPlace, since refusal: PluginError
    ) throws(PluginError) -> (Database, FrozenFile?)? {
        var status = stat()
        guard stat(place.file, &status) == 0 else {
            guard errno == ENOENT || errno == ENOTDIR else { throw refusal }
            return nil
        }
        guard status.st_mode & S_IFMT == S_IFREG, access(place.file, R_OK) == 0 else { throw refusal }
        // A file that was made, and for which there was no room to write anything.
        if status.st_size == 0 { return nil }
        return try Database.reading(place.file, status, called: "the library") { (database) throws(PluginError) in
            try checkFormat(database, place, since: refusal)
        }
    }

    /// A library with nothing in it, in memory.
    static func empty() throws(PluginError) -> Database {
        let database = try Database(":memory:")
        for migration in migrations { try database.execute(migration) }
        return database
    }

    /// Refuses when the library can only be read: for who would do much, or ask much of others, before the first change.
    /// - Throws: `forbidden` and `noSpace`, as every change does then.
    public func checkCanChange() throws(PluginError) {
        guard let refusal else { return }
        let subject =
            isAbsent
            ? "there is no library yet, and none can be made"
            : "the library '\(DisplayText.of(place.file))' can only be read"
        throw PluginError(refusal.code, "\(subject): \(refusal.message)")
    }
}

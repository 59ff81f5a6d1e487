public import Glibc
import SQLite
public import VitrineKit

// A catalog where nothing can be written: on a disk that is mounted read-only, of another user, on a full disk.
extension Catalog {
    /// Opens a catalog for who only asks it. It is opened as ``open(at:now:)`` does wherever that can be; where it cannot be
    /// written to, it is read as it is, and ``isReadOnly``.
    /// - Parameters:
    ///   - path: of the file, absolute.
    ///   - now: seconds since 1970.
    /// - Throws: as ``open(at:now:)``; `forbidden` also when there are changes beside the file that nobody can read there,
    ///   `unsupported` also when an earlier version wrote it, `notFound` when there is none and none can be made.
    public static func openToRead(
        at path: String, now: Int64 = Int64(time(nil))
    ) throws(PluginError) -> (catalog: Catalog, opening: Opening) {
        do throws(PluginError) { return try open(at: path, now: now) } catch {
            return (try readOnly(path, since: error), .found)
        }
    }

    /// Opens a catalog that cannot be written to.
    /// - Parameter error: why it cannot; thrown when that is for another reason than that nothing can be written there.
    static func readOnly(_ path: String, since error: PluginError) throws(PluginError) -> Catalog {
        guard [.forbidden, .noSpace].contains(error.code) else { throw error }
        var status = stat()
        guard stat(path, &status) == 0 else {
            guard errno == ENOENT || errno == ENOTDIR else { throw error }
            throw PluginError(.notFound, "nothing is indexed yet, and no catalog can be made: \(error.message)")
        }
        guard status.st_mode & S_IFMT == S_IFREG, access(path, R_OK) == 0 else { throw error }
        let (database, frozen) = try Database.reading(path, status, called: "the catalog", CatalogSchema.check)
        return Catalog(path: path, status, ledger: try CatalogLedger(database), isReadOnly: true, frozen: frozen)
    }
}

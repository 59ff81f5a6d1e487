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
        do throws(PluginError) {
            let database = try Database(path, access: .readOnly)
            try CatalogSchema.check(database)
            return Catalog(path: path, status, ledger: try CatalogLedger(database), isReadOnly: true)
        } catch {
            // Its companions are not there, and cannot be made.
            guard [.forbidden, .noSpace].contains(error.code) else { throw error }
        }
        let frozen = FrozenFile(path, status)
        try frozen.check()
        let database = try Database(path, access: .immutable)
        try CatalogSchema.check(database)
        return Catalog(path: path, status, ledger: try CatalogLedger(database), isReadOnly: true, frozen: frozen)
    }
}

/// A catalog's file that is read without locks: all that is known must be in it, and nobody may change it meanwhile, which
/// others can that reach it over another mount.
struct FrozenFile: Sendable {
    private let path: String
    private let size: Int
    private let (seconds, nanoseconds): (Int, Int)

    init(_ path: String, _ status: stat) {
        self.path = path
        (size, seconds, nanoseconds) = (Int(status.st_size), status.st_mtim.tv_sec, status.st_mtim.tv_nsec)
    }

    /// - Throws: `forbidden` when changes lie beside the file, `changed` when it is not what it was.
    func check() throws(PluginError) {
        var status = stat()
        let shown = DisplayText.of(path)
        if stat(path + "-wal", &status) == 0, status.st_size > 0 {
            throw PluginError(
                .forbidden,
                "the latest changes of the catalog '\(shown)' are in '\(shown)-wal', which cannot be read where nothing can be "
                    + "written; make its folder writable, or copy both files into a folder that is")
        }
        guard stat(path, &status) == 0, Int(status.st_size) == size, status.st_mtim.tv_sec == seconds,
            status.st_mtim.tv_nsec == nanoseconds
        else {
            throw PluginError(.changed, "the catalog '\(shown)' was changed while it was read; try again")
        }
    }
}

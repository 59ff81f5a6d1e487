public import Glibc
public import VitrineKit

/// A database's file that is read without locks: all that is known must be in it, and nobody may change it meanwhile, which
/// others can that reach it over another mount.
public struct FrozenFile: Sendable {
    private let path: String
    private let name: String
    private let size: Int
    private let (seconds, nanoseconds): (Int, Int)

    /// - Parameters:
    ///   - path: of the file.
    ///   - status: how it was found.
    ///   - name: what it is called in sentences, such as "the catalog".
    public init(_ path: String, _ status: stat, called name: String) {
        self.path = path
        self.name = name
        (size, seconds, nanoseconds) = (Int(status.st_size), status.st_mtim.tv_sec, status.st_mtim.tv_nsec)
    }

    /// - Throws: `forbidden` when changes lie beside the file, `changed` when it is not what it was.
    public func check() throws(PluginError) {
        var status = stat()
        let shown = DisplayText.of(path)
        if stat(path + "-wal", &status) == 0, status.st_size > 0 {
            throw PluginError(
                .forbidden,
                "the latest changes of \(name) '\(shown)' are in '\(shown)-wal', which cannot be read where nothing can be "
                    + "written; make its folder writable, or copy both files into a folder that is")
        }
        guard stat(path, &status) == 0, Int(status.st_size) == size, status.st_mtim.tv_sec == seconds,
            status.st_mtim.tv_nsec == nanoseconds
        else {
            throw PluginError(.changed, "\(name) '\(shown)' was changed while it was read; try again")
        }
    }
}

extension Database {
    /// Opens a database that is there and cannot be written to: on a disk that is mounted read-only, of another user, on a
    /// full disk.
    /// - Parameters:
    ///   - path: of the file.
    ///   - status: how it was found.
    ///   - name: what it is called in sentences, such as "the catalog".
    ///   - check: refuses what is no such file.
    /// - Returns: the database, and what has to be asked after each look at it whether it is still the same; `nil` where
    ///   locks see to that.
    /// - Throws: as ``FrozenFile/check()``, and what `check` throws.
    public static func reading(
        _ path: String, _ status: stat, called name: String, _ check: (Database) throws(PluginError) -> Void
    ) throws(PluginError) -> (Database, FrozenFile?) {
        do throws(PluginError) {
            let database = try Database(path, access: .readOnly)
            try check(database)
            return (database, nil)
        } catch {
            // Its companions are not there, and cannot be made.
            guard [.forbidden, .noSpace].contains(error.code) else { throw error }
        }
        let frozen = FrozenFile(path, status, called: name)
        try frozen.check()
        let database = try Database(path, access: .immutable)
        try check(database)
        return (database, frozen)
    }
}

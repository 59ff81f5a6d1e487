public import Glibc
import SQLite
import Synchronization
public import VitrineKit

/// What Vitrine knows of sources, so that the next run finds out cheaply what is new, changed, moved and gone.
///
/// One SQLite file, which any number of processes may use at once. Losing it loses no preview: the next run makes it
/// anew from the sources and the cache. Every change gets the next number, the version, so that others can follow.
///
/// Calls block for some microseconds to milliseconds, and may come from any thread; they throw `corrupt` when the file
/// is damaged, `busy` when other processes write to it all the time, `noSpace`, `forbidden` and `io`.
public final class Catalog: Sendable {
    /// How a catalog was found.
    public enum Opening: Hashable, Sendable {
        /// As it was left.
        case found
        /// There was none.
        case made
        /// It was damaged, and a new one stands in its place.
        case replaced(reason: String)
    }

    /// How long a change waits for those of other processes, in milliseconds. Each takes a fraction of a second, but who makes
    /// many, one after the other, leaves little time in between.
    static let patience: Int32 = 30_000

    /// Where the file lies.
    public let path: String
    private let ledger: Mutex<CatalogLedger>
    /// Which file it is, whatever may lie at its path by now.
    private let (device, inode): (dev_t, ino_t)
    private let failure = Mutex<PluginError?>(nil)
    /// Whether it can only be asked.
    public let isReadOnly: Bool
    /// How the file was found, when nobody may change it: see ``openToRead(at:now:)``.
    private let frozen: FrozenFile?

    /// Opens a catalog, or makes one. One that is damaged so badly that it cannot be opened is deleted,
    /// by one process when several find it so at once.
    /// - Parameters:
    ///   - path: of the file, absolute; its folder is made, for the user alone.
    ///   - now: seconds since 1970.
    /// - Returns: the catalog, and how it was found.
    /// - Throws: `unsupported` when a newer version wrote it; then nothing is touched. `forbidden`, `busy`, `noSpace`, `io`.
    public static func open(
        at path: String, now: Int64 = Int64(time(nil))
    ) throws(PluginError) -> (catalog: Catalog, opening: Opening) {
        try makeFolder(above: path)
        do throws(PluginError) {
            return try OpeningLock.hold(.shared, beside: path) { () throws(PluginError) in
                let (catalog, isNew) = try opened(path, now)
                return (catalog, isNew ? .made : .found)
            }
        } catch {
            guard error.code == .corrupt else { throw error }
        }
        // Others may have found the same: who comes first replaces it, and the others take what stands there then.
        return try OpeningLock.hold(.alone, beside: path) { () throws(PluginError) in
            do throws(PluginError) {
                let (catalog, isNew) = try opened(path, now)
                return (catalog, isNew ? .made : .found)
            } catch {
                guard error.code == .corrupt else { throw error }
                try remove(path)
                return (try opened(path, now).catalog, .replaced(reason: error.message))
            }
        }
    }

    /// Opens a catalog that is there, for who can do without it: none is made, and one that is damaged stays.
    /// - Parameter path: of the file, absolute.
    /// - Returns: `nil` when there is none, or none that can be opened.
    public static func existing(at path: String) -> Catalog? { try? present(at: path) }

    /// Opens a catalog that is there, as ``existing(at:)`` does, for who wants to know why it cannot be opened.
    /// - Returns: `nil` when there is none.
    /// - Throws: as ``openToRead(at:now:)``, and `corrupt`.
    public static func present(at path: String) throws(PluginError) -> Catalog? {
        guard access(path, F_OK) == 0 else { return nil }
        return try OpeningLock.hold(.shared, beside: path) { () throws(PluginError) in
            do throws(PluginError) { return try opened(path, Int64(time(nil))).catalog } catch {
                return try readOnly(path, since: error)
            }
        }
    }

    /// Deletes a catalog that turned out to be damaged, so that the next one who opens it makes a new one.
    ///
    /// Nothing is deleted when another process has put a new one in its place already.
    public static func removeDamaged(_ catalog: Catalog) throws(PluginError) {
        // Also when its folder is gone, in which the lock would be.
        if catalog.isReplaced { return }
        try OpeningLock.hold(.alone, beside: catalog.path) { () throws(PluginError) in
            // The number is given to no other file as long as the damaged one is open.
            guard !catalog.isReplaced else { return }
            try remove(catalog.path)
        }
    }

    /// Whether somebody deleted its file, or put another one in its place: what is written goes nowhere then.
    public var isReplaced: Bool {
        var status = stat()
        guard stat(path, &status) == 0 else { return errno == ENOENT || errno == ENOTDIR }
        return status.st_dev != device || status.st_ino != inode
    }

    /// Deletes a catalog that nobody opens at this moment. Processes that have it open go on with what they have, which
    /// nobody else sees any more.
    public static func remove(_ path: String) throws(PluginError) {
        for name in [path, path + "-wal", path + "-shm", path + "-journal"] where unlink(name) != 0 && errno != ENOENT {
            throw PluginError(errno: errno, "the catalog '\(DisplayText.of(name))' cannot be deleted")
        }
    }

    init(
        path: String, _ status: stat, ledger: sending CatalogLedger, isReadOnly: Bool = false,
        frozen: FrozenFile? = nil
    ) {
        self.path = path
        (self.isReadOnly, self.frozen) = (isReadOnly, frozen)
        (device, inode) = (status.st_dev, status.st_ino)
        self.ledger = Mutex(ledger)
    }

    private static func opened(_ path: String, _ now: Int64) throws(PluginError) -> (catalog: Catalog, isNew: Bool) {
        // SQLite would make it readable by others; its companions get the rights of the file.
        let file = Glibc.open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        guard file >= 0 else {
            throw PluginError(errno: errno, "the catalog '\(DisplayText.of(path))' cannot be opened")
        }
        var status = stat()
        let isKnown = fstat(file, &status) == 0
        // One that was copied here may be readable by others; it holds texts of documents.
        if isKnown, status.st_mode & 0o077 != 0 {
            fchmod(file, 0o600)
            for companion in [path + "-wal", path + "-shm"] { chmod(companion, 0o600) }
        }
        close(file)
        guard isKnown, status.st_mode & S_IFMT == S_IFREG else {
            throw PluginError(.notAFile, "the catalog '\(DisplayText.of(path))' is no regular file; move it away")
        }
        let isEmpty = status.st_size == 0
        do throws(PluginError) {
            let database = try Database(path, patience: patience)
            let isNew = try CatalogSchema.prepare(database, now: now)
            return (Catalog(path: path, status, ledger: try CatalogLedger(database)), isNew)
        } catch {
            // On a full disk the beginning of a catalog only takes room from the previews.
            if isEmpty, error.code == .noSpace { try? remove(path) }
            throw error
        }
    }

    /// Keeps little of the file in memory from now on, for who asks once and goes: memory that is new to the process
    /// costs more than reading a page again.
    public func keepLittle() throws(PluginError) {
        try with { ledger throws(PluginError) in try ledger.database.execute("PRAGMA cache_size = -1000") }
    }

    /// Waits no longer than this for changes of other processes from now on: for who has waited in vain already, and comes again.
    public func wait(atMost milliseconds: Int32) throws(PluginError) {
        try with { ledger throws(PluginError) in
            try ledger.database.execute("PRAGMA busy_timeout = \(max(0, milliseconds))")
        }
    }

    /// Does something with the tables, alone.
    func with<Answer: Sendable>(
        _ body: (CatalogLedger) throws(PluginError) -> Answer
    ) throws(PluginError) -> Answer {
        try ledger.withLock { ledger throws(PluginError) in
            do throws(PluginError) {
                let answer = try body(ledger)
                try frozen?.check()
                return answer
            } catch {
                // What was changed while it was read looks damaged.
                do throws(PluginError) { try frozen?.check() } catch { throw noted(error) }
                throw noted(error)
            }
        }
    }

    /// Does something with the tables, alone, as one transaction.
    func change<Answer: Sendable>(
        _ body: (CatalogLedger) throws(PluginError) -> Answer
    ) throws(PluginError) -> Answer {
        try ledger.withLock { ledger throws(PluginError) in
            do throws(PluginError) {
                try ledger.begin()
                let answer = try body(ledger)
                try ledger.commit()
                return answer
            } catch {
                // Its own rules are broken by nothing that a run does: a table and its index differ.
                let isRule = ledger.database.violatedConstraint
                ledger.rollback()
                throw noted(isRule ? PluginError(.corrupt, error.message) : error)
            }
        }
    }

    /// Whether the last error that a call threw was this one, and so says nothing about a storage: that of a damaged
    /// archive has the same code as that of a damaged catalog.
    public func threw(_ error: PluginError) -> Bool { failure.withLock { $0 == error } }

    private func noted(_ error: PluginError) -> PluginError {
        failure.withLock { $0 = error }
        return error
    }

    /// Reads the whole file and compares its tables with their indexes. Takes some seconds for a million items.
    /// - Returns: what is wrong, in SQLite's words; nothing for a sound catalog.
    public func check() throws(PluginError) -> [String] {
        try with { ledger throws(PluginError) in
            try ledger.database.rows("PRAGMA integrity_check(20)") { $0.text(0) }.filter { $0 != "ok" }
        }
    }

    private static func makeFolder(above path: String) throws(PluginError) {
        let parts = path.split(separator: "/").dropLast()
        var folder = ""
        for part in parts {
            folder += "/" + part
            guard mkdir(folder, 0o700) != 0 else { continue }
            let reason = errno
            if reason != EEXIST, access(folder, F_OK) != 0 {
                throw PluginError(
                    errno: reason, "the folder '\(DisplayText.of(folder))' for the catalog cannot be made")
            }
        }
    }
}

internal import CDatabase
internal import VitrineKit

/// A database that is asked questions, one at a time. SQLite reads its pages from the input, wherever that lies; it can write nothing,
/// and for it there is no other file, so that no journal is looked for.
///
/// The database is a stranger's: of what is in it only tables are ever read, and each answer has a bound of its own.
final class DatabaseFile {
    /// A row of an answer; valid until the next one.
    struct Row {
        fileprivate let statement: OpaquePointer
    }

    /// Bytes that SQLite asked the input for.
    private(set) var bytesRead: Int64 = 0

    private let input: any RandomAccessInput
    private let system = UnsafeMutablePointer<sqlite3_vfs>.allocate(capacity: 1)
    private let methods = UnsafeMutablePointer<sqlite3_io_methods>.allocate(capacity: 1)
    private let name = UnsafeMutablePointer<CChar>.allocate(capacity: DatabaseFile.nameRoom)
    private var connection: OpaquePointer?
    /// What the input said at last.
    private var failure: PluginError?
    /// Calls that are left to the answer under way, and how many bytes may have been read in all when it ends.
    private var calls = 0, end = DatabaseFile.mostBytes

    private static let nameRoom = 32
    /// With what a database begins that is not encrypted.
    private static let signature = "SQLite format 3\0".utf8
    /// Steps of SQLite's machine from one call to the next, and calls, for one answer.
    private static let steps: CInt = 1000, mostCalls = 10_000
    /// Bytes that are read for one answer.
    private static let mostBytes: Int64 = 128 << 20

    /// Opens a database.
    /// - Throws: `unsupported` when it is none, or an encrypted one, `corrupt`, `limitExceeded`, or what the input throws.
    init(_ input: any RandomAccessInput) throws(PluginError) {
        self.input = input
        let owner = Unmanaged.passUnretained(self).toOpaque()
        // Others may be open in this process.
        let letters = "vitrine-\(String(UInt(bitPattern: owner), radix: 16))".utf8.prefix(Self.nameRoom - 1)
        for (index, letter) in letters.enumerated() { name[index] = CChar(bitPattern: letter) }
        name[letters.count] = 0
        methods.initialize(to: Self.methods())
        system.initialize(to: Self.system(owner, name))
        sqlite3_vfs_register(system, 0)
        let status = sqlite3_open_v2("database", &connection, SQLITE_OPEN_READONLY, name)
        guard status == SQLITE_OK, let connection else { throw broken(status) }
        cdatabase_distrust(connection)
        sqlite3_progress_handler(
            connection, Self.steps,
            { owner in
                guard let file = DatabaseFile.of(owner), file.calls > 0 else { return 1 }
                file.calls -= 1
                return 0
            }, owner)
        // A worker has no files to put aside in what is too large for the cache of pages.
        try each("PRAGMA temp_store = MEMORY") { _ in false }
        // Pages whose cells lie on one another are damaged.
        try each("PRAGMA cell_size_check = ON") { _ in false }
    }

    deinit {
        sqlite3_close(connection)
        sqlite3_vfs_unregister(system)
        system.deallocate()
        methods.deallocate()
        name.deallocate()
    }

    /// Asks, and hands over the rows of the answer until no more are wanted.
    /// - Parameters:
    ///   - question: in SQL; what is not ours in it are names, which are ``quoted(_:)``.
    ///   - take: returns whether it wants another row.
    /// - Throws: `corrupt`, `limitExceeded` for what takes too long or needs too much memory, what the input throws, or what `take`
    ///   throws.
    func each(_ question: String, _ take: (Row) throws(PluginError) -> Bool) throws(PluginError) {
        failure = nil
        calls = Self.mostCalls
        end = bytesRead + Self.mostBytes
        var statement: OpaquePointer?
        defer { sqlite3_finalize(statement) }
        let prepared = sqlite3_prepare_v2(connection, question, -1, &statement, nil)
        guard prepared == SQLITE_OK, let statement else { throw broken(prepared) }
        while true {
            switch sqlite3_step(statement) {
            case SQLITE_ROW: guard try take(Row(statement: statement)) else { return }
            // What could not be read is an error, whatever SQLite made of it.
            case SQLITE_DONE where failure == nil: return
            case let status: throw broken(status)
            }
        }
    }

    /// A name as SQL has it.
    static func quoted(_ name: String) -> String { "\"" + name.replacing("\"", with: "\"\"") + "\"" }

    /// Whether the file does not begin as a database does, as far as it goes.
    private var beginsOtherwise: Bool {
        guard let head = try? input.bytes(at: 0, count: Self.signature.count) else { return false }
        return !Self.signature.starts(with: head)
    }

    /// What went wrong, see https://www.sqlite.org/rescode.html.
    private func broken(_ status: CInt) -> PluginError {
        if let failure { return failure }
        switch status & 0xFF {
        case SQLITE_NOMEM, SQLITE_TOOBIG:
            return PluginError(.limitExceeded, "the database has a value that is too large, or needs too much memory")
        case SQLITE_INTERRUPT:
            return PluginError(.limitExceeded, "the database would have to be searched for too long")
        case SQLITE_NOTADB where beginsOtherwise:
            return PluginError(
                .unsupported, "the file is no SQLite database, or an encrypted one, which only its program opens")
        default:
            let words = connection.map { String(cString: sqlite3_errmsg($0)) }.flatMap { Facts.line($0, limit: 200) }
            return PluginError(.corrupt, "the database is damaged (SQLite: \(words ?? "status \(status)"))")
        }
    }
}

extension DatabaseFile.Row {
    /// What a value is kept as: `SQLITE_TEXT` and the like.
    func kind(_ column: CInt) -> CInt { sqlite3_column_type(statement, column) }

    func number(_ column: CInt) -> Int64 { sqlite3_column_int64(statement, column) }

    /// A value as text; empty where there is none.
    func text(_ column: CInt) -> String {
        guard let text = sqlite3_column_text(statement, column) else { return "" }
        let bytes = UnsafeBufferPointer(start: text, count: Int(sqlite3_column_bytes(statement, column)))
        return String(decoding: bytes, as: UTF8.self)
    }

    func bytes(_ column: CInt) -> [UInt8] {
        guard let start = sqlite3_column_blob(statement, column) else { return [] }
        return Array(UnsafeRawBufferPointer(start: start, count: Int(sqlite3_column_bytes(statement, column))))
    }
}

// MARK: What SQLite calls

extension DatabaseFile {
    private static func of(_ owner: UnsafeMutableRawPointer?) -> DatabaseFile? {
        owner.map { Unmanaged<DatabaseFile>.fromOpaque($0).takeUnretainedValue() }
    }

    private static func of(file: UnsafeMutablePointer<sqlite3_file>?) -> DatabaseFile? {
        file.flatMap { of(UnsafeMutableRawPointer($0).assumingMemoryBound(to: cdatabase_file.self).pointee.owner) }
    }

    /// Reads as SQLite wants it: what lies behind the end are zeros.
    private func read(_ buffer: UnsafeMutableRawBufferPointer, at offset: Int64) -> CInt {
        guard bytesRead < end else {
            failure = PluginError(.limitExceeded, "too much of the database would have to be read")
            return SQLITE_IOERR
        }
        var done = 0
        do throws(PluginError) {
            while done < buffer.count {
                let rest = UnsafeMutableRawBufferPointer(rebasing: buffer[done...])
                let count = try input.read(at: offset + Int64(done), into: rest)
                if count == 0 { break }
                done += count
            }
        } catch {
            failure = error
            return SQLITE_IOERR
        }
        bytesRead += Int64(done)
        guard done < buffer.count else { return SQLITE_OK }
        UnsafeMutableRawBufferPointer(rebasing: buffer[done...]).initializeMemory(as: UInt8.self, repeating: 0)
        return cdatabase_short_read
    }

    /// A system of files with one file, the input.
    private static func system(
        _ owner: UnsafeMutableRawPointer, _ name: UnsafeMutablePointer<CChar>
    ) -> sqlite3_vfs {
        var system = sqlite3_vfs()
        system.iVersion = 1
        system.szOsFile = CInt(MemoryLayout<cdatabase_file>.size)
        system.mxPathname = 64
        system.zName = UnsafePointer(name)
        system.pAppData = owner
        system.xOpen = { system, _, file, flags, _ in
            guard let file, let owner = system?.pointee.pAppData else { return SQLITE_CANTOPEN }
            file.pointee.pMethods = nil
            guard flags & SQLITE_OPEN_MAIN_DB != 0, let database = DatabaseFile.of(owner) else {
                return SQLITE_CANTOPEN
            }
            UnsafeMutableRawPointer(file).assumingMemoryBound(to: cdatabase_file.self).pointee.owner = owner
            file.pointee.pMethods = UnsafePointer(database.methods)
            return SQLITE_OK
        }
        system.xDelete = { _, _, _ in SQLITE_IOERR }
        system.xAccess = { _, _, _, answer in
            answer?.pointee = 0
            return SQLITE_OK
        }
        system.xFullPathname = { _, name, room, path in
            guard let name, let path, room > 0, strlen(name) < Int(room) else { return SQLITE_CANTOPEN }
            strcpy(path, name)
            return SQLITE_OK
        }
        system.xRandomness = { _, count, buffer in
            guard let buffer, count > 0 else { return 0 }
            memset(buffer, 0, Int(count))
            return count
        }
        system.xSleep = { _, _ in 0 }
        system.xCurrentTime = { _, day in
            // The first of January 1970, as Julian days count.
            day?.pointee = 2_440_587.5
            return SQLITE_OK
        }
        system.xGetLastError = { _, _, _ in 0 }
        return system
    }

    private static func methods() -> sqlite3_io_methods {
        var methods = sqlite3_io_methods()
        methods.iVersion = 1
        methods.xClose = { _ in SQLITE_OK }
        methods.xRead = { file, buffer, count, offset in
            guard let file = DatabaseFile.of(file: file), let buffer, count > 0, offset >= 0 else {
                return SQLITE_IOERR
            }
            return file.read(UnsafeMutableRawBufferPointer(start: buffer, count: Int(count)), at: offset)
        }
        methods.xWrite = { _, _, _, _ in SQLITE_READONLY }
        methods.xTruncate = { _, _ in SQLITE_READONLY }
        methods.xSync = { _, _ in SQLITE_OK }
        methods.xFileSize = { file, size in
            guard let file = DatabaseFile.of(file: file), let size else { return SQLITE_IOERR }
            size.pointee = file.input.size
            return SQLITE_OK
        }
        methods.xLock = { _, _ in SQLITE_OK }
        methods.xUnlock = { _, _ in SQLITE_OK }
        methods.xCheckReservedLock = { _, answer in
            answer?.pointee = 0
            return SQLITE_OK
        }
        methods.xFileControl = { _, _, _ in SQLITE_NOTFOUND }
        methods.xSectorSize = { _ in 4096 }
        // Nobody writes to it: neither locks nor logs of other writers matter, which are files beside it.
        methods.xDeviceCharacteristics = { _ in SQLITE_IOCAP_IMMUTABLE }
        return methods
    }
}

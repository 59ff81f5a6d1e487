import CSQLite
import Glibc
import Timing
public import VitrineKit

/// One connection to an SQLite database.
///
/// It belongs to whoever made it and is used by one thread at a time: put it into a `Mutex` to share it. Closed when
/// the last reference goes, statements before it.
public final class Database {
    /// How a file is opened.
    public enum Access: Sendable {
        /// Made when it is not there.
        case readWrite
        /// Never written to. Where nothing can be written at all, one in WAL mode is opened only if its companions are there.
        case readOnly
        /// Never written to, nor by anybody else meanwhile: no lock is taken, and its log, if it has one, is not read.
        case immutable
    }

    /// Where the file lies; `:memory:` for none.
    public let path: String
    let connection: OpaquePointer
    private let patience: Int32
    private var prepared: [StatementText: Statement] = [:]
    private var depth = 0

    /// Opens a database. Nothing of the file is read yet, so that a damaged one is noticed by the first statement.
    /// - Parameters:
    ///   - path: the file's absolute path, or `:memory:`.
    ///   - access: whether it may be written to. Default: yes.
    ///   - patience: how long a statement waits for other processes that write, in milliseconds. Default: 10,000.
    /// - Throws: `forbidden` or `io` when it cannot be opened. Whatever is called later throws `busy` when the patience was
    ///   not enough.
    public init(_ path: String, access: Access = .readWrite, patience: Int32 = 10_000) throws(PluginError) {
        (self.path, self.patience) = (path, patience)
        _ = Self.omitsStatistics
        var opened: OpaquePointer?
        let flags =
            switch access {
            case .readWrite: SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE
            case .readOnly: SQLITE_OPEN_READONLY
            case .immutable: SQLITE_OPEN_READONLY | SQLITE_OPEN_URI
            }
        let name = access == .immutable ? "file:\(PercentEncoding.encode(path.utf8))?immutable=1" : path
        // NOFOLLOW is not given: a user may well link the file to another disk. NOMUTEX: one thread at a time.
        let status = sqlite3_open_v2(name, &opened, flags | SQLITE_OPEN_NOMUTEX, nil)
        guard status == SQLITE_OK, let opened else {
            let error = PluginError(sqlite: status, opened, "the database '\(DisplayText.of(path))' cannot be opened")
            sqlite3_close_v2(opened)
            throw error
        }
        connection = opened
        sqlite3_extended_result_codes(connection, 1)
        sqlite3_busy_timeout(connection, patience)
    }

    /// Asks SQLite, once in a process, to count nothing that nobody asks for.
    private static let omitsStatistics = csqlite_omit_statistics() == SQLITE_OK

    deinit {
        prepared = [:]
        sqlite3_close_v2(connection)
    }

    /// Runs statements that answer nothing, separated by `;`.
    public func execute(_ sql: String) throws(PluginError) {
        let status = sqlite3_exec(connection, sql, nil, nil, nil)
        guard status == SQLITE_OK else { throw error(status) }
    }

    /// Lets changes go to a log (WAL) from now on, so that others can read while one writes.
    ///
    /// Of processes that begin a new file at once SQLite tells all but one that it is locked, without any patience, since
    /// each would wait for the other: they wait here.
    public func keepLog() throws(PluginError) {
        let end = Moment.now + .milliseconds(patience)
        while true {
            let status = sqlite3_exec(connection, "PRAGMA journal_mode = WAL", nil, nil, nil)
            if status == SQLITE_OK { return }
            // Where it did have patience, that counts.
            guard status & 0xFF == SQLITE_BUSY, Moment.now < end else { throw error(status) }
            usleep(5000)
        }
    }

    /// A statement that is kept for the next time it is asked for. Reset it, or step it to its end, before the same
    /// text is asked for again.
    public func statement(_ sql: String) throws(PluginError) -> Statement {
        let text = StatementText(sql: sql)
        if let statement = prepared[text] { return statement }
        let statement = try Statement(self, sql)
        // Texts that are put together could grow without end.
        if prepared.count >= 128 { prepared = [:] }
        prepared[text] = statement
        return statement
    }

    /// Runs one statement with values for its parameters.
    public func run(_ sql: String, _ values: Value...) throws(PluginError) {
        let statement = try statement(sql)
        try statement.run(values)
    }

    /// All rows that one statement answers.
    /// - Parameters:
    ///   - sql: the statement.
    ///   - values: for its parameters, in order.
    ///   - row: makes something of the row at hand.
    public func rows<Row>(
        _ sql: String, _ values: Value..., row: (Statement) throws(PluginError) -> Row
    ) throws(PluginError) -> [Row] {
        let statement = try statement(sql)
        defer { statement.reset() }
        try statement.bind(values)
        var rows: [Row] = []
        while try statement.step() { rows.append(try row(statement)) }
        return rows
    }

    /// The first row that one statement answers; `nil` when there is none.
    public func first<Row>(
        _ sql: String, _ values: Value..., row: (Statement) throws(PluginError) -> Row
    ) throws(PluginError) -> Row? {
        let statement = try statement(sql)
        defer { statement.reset() }
        try statement.bind(values)
        return try statement.step() ? try row(statement) : nil
    }

    /// The row number of the last insertion.
    public var lastRow: Int64 { sqlite3_last_insert_rowid(connection) }

    /// How many rows the last statement changed.
    public var changes: Int { Int(sqlite3_changes64(connection)) }

    /// Does several things as one: all of them, or none when it throws. One in another is part of the outer one.
    ///
    /// The write lock is taken at the start, so that it cannot fail half-way for another process's sake.
    public func transaction<Answer>(_ body: () throws(PluginError) -> Answer) throws(PluginError) -> Answer {
        if depth > 0 { return try body() }
        return try bracketed("BEGIN IMMEDIATE", body)
    }

    /// Reads several things as they were at one moment, which is also much cheaper than one after the other. Others may
    /// write meanwhile. Nothing is to be written in it.
    public func snapshot<Answer>(_ body: () throws(PluginError) -> Answer) throws(PluginError) -> Answer {
        if depth > 0 || isInTransaction { return try body() }
        return try bracketed("BEGIN", body)
    }

    private func bracketed<Answer>(
        _ begin: String, _ body: () throws(PluginError) -> Answer
    ) throws(PluginError) -> Answer {
        try execute(begin)
        depth = 1
        defer { depth = 0 }
        do throws(PluginError) {
            let answer = try body()
            try execute("COMMIT")
            return answer
        } catch {
            // After a full disk SQLite has rolled back already; then there is nothing to undo.
            if isInTransaction { try? execute("ROLLBACK") }
            throw error
        }
    }

    /// Whether the last call failed because a row would have broken a rule of its table, such as a number given twice.
    public var violatedConstraint: Bool { sqlite3_errcode(connection) & 0xFF == SQLITE_CONSTRAINT }

    /// Whether nothing can be written to it: it was opened so, or the system does not let anybody write.
    public var isReadOnly: Bool { sqlite3_db_readonly(connection, "main") == 1 }

    /// Whether a transaction is under way.
    public var isInTransaction: Bool { sqlite3_get_autocommit(connection) == 0 }

    func error(_ status: CInt) -> PluginError {
        PluginError(sqlite: status, connection, "the database '\(DisplayText.of(path))' failed")
    }
}

/// The text of a statement as a key. Texts are long, and some are looked up for each of very many items.
private struct StatementText: Hashable {
    let sql: String

    /// Takes what almost always tells one from another; the rest is compared.
    func hash(into hasher: inout Hasher) { hasher.combine(sql.utf8.count) }
}

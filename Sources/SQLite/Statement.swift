import CSQLite
public import VitrineKit

/// A prepared statement of one ``Database``; used by one thread at a time, like it.
///
/// Parameters count from 1, columns from 0, as SQLite counts them.
public final class Statement {
    // The connection has to outlive its statements; a cached one is dropped by the database first.
    private let path: String
    private let connection: OpaquePointer
    private let handle: OpaquePointer

    /// Prepares one statement.
    /// - Throws: what SQLite says: `corrupt`, also when a table or column is not there, `io` …
    public init(_ database: Database, _ sql: String) throws(PluginError) {
        var prepared: OpaquePointer?
        let status = sqlite3_prepare_v3(
            database.connection, sql, -1, UInt32(SQLITE_PREPARE_PERSISTENT), &prepared, nil)
        guard status == SQLITE_OK, let prepared else {
            let error = database.error(status)
            // Statements are written by us: what does not fit the tables is the tables' fault.
            throw status & 0xFF == SQLITE_ERROR ? PluginError(.corrupt, error.message) : error
        }
        path = database.path
        connection = database.connection
        handle = prepared
    }

    deinit { sqlite3_finalize(handle) }

    /// Sets one parameter.
    public func bind(_ number: Int64, at index: Int32) { sqlite3_bind_int64(handle, index, number) }

    /// Sets one parameter, to nothing for `nil`.
    public func bind(_ number: Int64?, at index: Int32) {
        if let number { bind(number, at: index) } else { bindNull(at: index) }
    }

    /// Sets one parameter to nothing.
    public func bindNull(at index: Int32) { sqlite3_bind_null(handle, index) }

    /// Sets one parameter; the bytes are copied.
    public func bind(_ bytes: some Collection<UInt8>, at index: Int32) throws(PluginError) {
        let status =
            bytes.withContiguousStorageIfAvailable {
                csqlite_bind_blob(handle, index, $0.baseAddress, CInt(clamping: $0.count))
            }
            ?? Array(bytes).withUnsafeBufferPointer {
                csqlite_bind_blob(handle, index, $0.baseAddress, CInt(clamping: $0.count))
            }
        try check(status)
    }

    /// Sets one parameter; the text is copied.
    public func bind(_ text: String, at index: Int32) throws(PluginError) {
        var text = text
        try check(text.withUTF8 { csqlite_bind_text(handle, index, $0.baseAddress, CInt(clamping: $0.count)) })
    }

    /// Sets one parameter.
    public func bind(_ value: Value, at index: Int32) throws(PluginError) {
        switch value {
        case .null: bindNull(at: index)
        case .integer(let number): bind(number, at: index)
        case .real(let number): try check(sqlite3_bind_double(handle, index, number))
        case .text(let text): try bind(text, at: index)
        case .bytes(let bytes): try bind(bytes, at: index)
        }
    }

    /// Sets the first parameters.
    public func bind(_ values: [Value]) throws(PluginError) {
        for (index, value) in zip(1..., values) { try bind(value, at: Int32(index)) }
    }

    /// Goes to the next row.
    /// - Returns: whether there is one.
    public func step() throws(PluginError) -> Bool {
        switch sqlite3_step(handle) {
        case SQLITE_ROW: return true
        case SQLITE_DONE: return false
        case let status:
            let error = PluginError(sqlite: status, connection, "the database '\(DisplayText.of(path))' failed")
            sqlite3_reset(handle)
            throw error
        }
    }

    /// Runs it to its end and resets it, with the parameters as they were set.
    public func run() throws(PluginError) {
        while try step() {}
        sqlite3_reset(handle)
    }

    /// Runs it to its end with these parameters.
    public func run(_ values: [Value]) throws(PluginError) {
        try bind(values)
        try run()
    }

    /// Ends it, so that it can be used again; parameters stay.
    public func reset() { sqlite3_reset(handle) }

    /// Whether a column holds nothing.
    public func isNull(_ column: Int32) -> Bool { sqlite3_column_type(handle, column) == SQLITE_NULL }

    /// A column as a whole number; 0 for nothing.
    public func integer(_ column: Int32) -> Int64 { sqlite3_column_int64(handle, column) }

    /// A column as a whole number; `nil` for nothing.
    public func optionalInteger(_ column: Int32) -> Int64? { isNull(column) ? nil : integer(column) }

    /// A column as a fraction; 0 for nothing.
    public func real(_ column: Int32) -> Double { sqlite3_column_double(handle, column) }

    /// A column as text; empty for nothing.
    public func text(_ column: Int32) -> String { String(decoding: bytes(column), as: UTF8.self) }

    /// A column as text; `nil` for nothing.
    public func optionalText(_ column: Int32) -> String? { isNull(column) ? nil : text(column) }

    /// A column's bytes, copied; none for nothing.
    public func bytes(_ column: Int32) -> [UInt8] {
        guard let start = sqlite3_column_blob(handle, column) else { return [] }
        return Array(UnsafeRawBufferPointer(start: start, count: Int(sqlite3_column_bytes(handle, column))))
    }

    /// Looks at a column's bytes where they lie, until the statement goes on; none for nothing.
    public func withBytes<Answer>(_ column: Int32, _ body: (UnsafeRawBufferPointer) -> Answer) -> Answer {
        // The pointer first: asking for it may change the length.
        let start = sqlite3_column_blob(handle, column)
        let count = start == nil ? 0 : Int(sqlite3_column_bytes(handle, column))
        return body(UnsafeRawBufferPointer(start: start, count: count))
    }

    /// A column's bytes, copied; `nil` for nothing.
    public func optionalBytes(_ column: Int32) -> [UInt8]? { isNull(column) ? nil : bytes(column) }

    private func check(_ status: CInt) throws(PluginError) {
        guard status == SQLITE_OK else {
            throw PluginError(sqlite: status, connection, "the database '\(DisplayText.of(path))' failed")
        }
    }
}

internal import CDatabase
internal import VitrineKit

/// What a database holds, as people look at it: its tables, and the first rows of the one that says most.
struct DatabaseContents {
    struct Table {
        var name: String
        /// The first of its columns that hold values of their own.
        var columns: [String]
        /// How many of these are said to hold text.
        var texts: Int
        /// How many rows were counted, and whether these are all; `nil` when none were.
        var rows: (count: Int, isWhole: Bool)?
    }

    /// In their own order; without those that programs keep for themselves, where there are others.
    private(set) var tables: [Table] = []
    /// Whether these are all.
    private(set) var isWhole = true
    /// The table whose first rows are ``cells``.
    let shown: Table
    /// Below their names the values of each column.
    private(set) var cells: [[String]]
    /// Which columns hold numbers, which are set to the right.
    private(set) var isNumeric: [Bool]
    /// What the file calls its kind.
    let kind: String

    /// More than a page shows.
    private static let mostColumns = 24, mostRows = 40, longestCell = 160
    /// Tables that are listed.
    private static let mostTables = 500
    /// Rows that are counted, of one table and of all.
    private static let countedRows = 100_000, countedInAll = 1_000_000
    /// Bytes that may be read to count all rows, of a file that is here and of one that lies elsewhere.
    private static let nearBytes: Int64 = 32 << 20, farBytes: Int64 = 1 << 20

    /// Looks at a database.
    /// - Throws: `empty` when there is no table in it, `corrupt`, `limitExceeded`, or what the input throws.
    init(_ input: any RandomAccessInput, _ file: DatabaseFile) throws(PluginError) {
        kind = Self.kind(try input.bytes(at: 68, count: 4))
        let names = try Self.names(file)
        isWhole = names.isWhole
        for name in names.ordinary {
            if let table = try Self.table(name, file) { tables.append(table) }
        }
        try Self.count(&tables, file, bytes: input.fileDescriptor == nil ? Self.farBytes : Self.nearBytes)
        let ranked = tables.max { $0.weight < $1.weight }
        guard let shown = ranked else {
            guard names.ordinary.isEmpty else {
                throw PluginError(.corrupt, "the database is damaged: none of its tables is as it is said to be")
            }
            let isLogged = try input.bytes(at: 18, count: 1) == [2]
            throw PluginError(
                .empty,
                "there are no tables in the database"
                    + (isLogged ? ", unless they are in a log that lies beside it" : ""))
        }
        self.shown = shown
        // Those of which no rows were counted are damaged, or were not reached.
        let othersAreSound = tables.contains {
            $0.name != shown.name && $0.rows?.isWhole == true && $0.rows?.count != 0
        }
        (cells, isNumeric) = try Self.rows(of: shown, file, othersAreSound: othersAreSound)
    }

    /// The names of all tables and columns, and the values that are shown, so that the database is found by them.
    var text: String {
        let names = tables.map { ([$0.name] + $0.columns).joined(separator: " ") }
        return Facts.bounded((names + cells.dropFirst().map { $0.joined(separator: " ") }).joined(separator: "\n"))
    }

    /// The kinds that have a number of their own among those of SQLite's files.
    private static func kind(_ number: [UInt8]) -> String {
        switch String(decoding: number, as: UTF8.self) {
        case "GPKG", "GP10", "GP11": "GeoPackage"
        case "MPBX": "MBTiles"
        default: "SQLite database"
        }
    }

    /// The names of tables with rows of their own. What is virtual is made by code, and not looked at; its rows lie in tables that
    /// are named after it.
    private static func names(_ file: DatabaseFile) throws(PluginError) -> (ordinary: [String], isWhole: Bool) {
        var (names, owners, seen) = ([String](), internalNames, 0)
        let question = """
            SELECT name, rootpage FROM main.sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\'
            """
        try file.each(question) { row in
            seen += 1
            guard seen <= mostTables else { return false }
            if row.number(1) > 0 { names.append(row.text(0)) } else { owners.append(row.text(0) + "_") }
            return true
        }
        let ordinary = names.filter { name in !owners.contains { name.hasPrefix($0) } }
        return (ordinary.isEmpty ? names : ordinary, seen <= mostTables)
    }

    /// What begins the names of tables that Android, PostGIS's relatives and the like keep for themselves.
    private static let internalNames = [
        "gpkg_", "rtree_", "idx_", "geometry_columns", "spatial_ref_sys", "spatialite_", "android_metadata",
        "room_master_table",
    ]

    /// - Returns: `nil` for what is no table with columns, whatever its name in the list says.
    private static func table(_ name: String, _ file: DatabaseFile) throws(PluginError) -> Table? {
        var table = Table(name: name, columns: [], texts: 0)
        do throws(PluginError) {
            try file.each("PRAGMA main.table_xinfo(\(DatabaseFile.quoted(name)))") { row in
                // Those that are computed of others would run code of the database.
                guard row.number(6) == 0 else { return true }
                table.columns.append(row.text(1))
                let type = row.text(2).uppercased()
                if ["CHAR", "TEXT", "CLOB"].contains(where: type.contains) { table.texts += 1 }
                return table.columns.count < mostColumns
            }
        } catch { guard error.code == .corrupt else { throw error } }
        return table.columns.isEmpty ? nil : table
    }

    /// Counts rows, as many as are allowed; what is damaged in one table is no reason to show none.
    private static func count(_ tables: inout [Table], _ file: DatabaseFile, bytes: Int64) throws(PluginError) {
        let end = file.bytesRead + bytes
        var left = countedInAll
        for index in tables.indices where left > 0 && file.bytesRead < end {
            var count = 0
            let most = min(left, countedRows)
            let room = min(end, file.bytesRead + bytes / 4)
            do throws(PluginError) {
                var isWhole = true
                let name = DatabaseFile.quoted(tables[index].name)
                try file.each("SELECT 1 FROM main.\(name) NOT INDEXED") { _ in
                    isWhole = count < most && file.bytesRead <= room
                    if isWhole { count += 1 }
                    return isWhole
                }
                tables[index].rows = (count, isWhole)
            } catch {
                guard error.code == .corrupt || error.code == .limitExceeded else { throw error }
            }
            left -= count
        }
    }

    /// The first rows of a table, below its names.
    /// - Parameter othersAreSound: whether there is more to show than this table.
    private static func rows(
        of table: Table, _ file: DatabaseFile, othersAreSound: Bool
    ) throws(PluginError) -> (cells: [[String]], isNumeric: [Bool]) {
        var cells = [table.columns.map { shown($0) }]
        var (numbers, values) = (table.columns.map { _ in 0 }, table.columns.map { _ in 0 })
        // Of what is no text only the length is read.
        let columns = table.columns.map { column in
            let column = "t." + DatabaseFile.quoted(column)
            return "CASE typeof(\(column)) WHEN 'blob' THEN length(\(column)) || ' B' ELSE \(column) END"
        }
        let question = """
            SELECT \(columns.joined(separator: ", ")) FROM main.\(DatabaseFile.quoted(table.name)) AS t NOT INDEXED LIMIT \(mostRows)
            """
        do throws(PluginError) {
            try file.each(question) { row in
                cells.append(
                    table.columns.indices.map { index in
                        let kind = row.kind(CInt(index))
                        if kind != SQLITE_NULL { values[index] += 1 }
                        if kind == SQLITE_INTEGER || kind == SQLITE_FLOAT { numbers[index] += 1 }
                        return shown(row.text(CInt(index)))
                    })
                return true
            }
        } catch {
            // What was read before a value that is too large is worth showing, if it is no more than the names of the columns;
            // so are these where the rows are damaged and those of other tables are not.
            guard error.code == .limitExceeded || error.code == .corrupt && othersAreSound else { throw error }
        }
        return (cells, zip(numbers, values).map { $0 > 0 && $0 * 10 >= $1 * 7 })
    }

    private static func shown(_ text: String) -> String {
        Facts.line(String(String.UnicodeScalarView(text.unicodeScalars.prefix(longestCell)))) ?? ""
    }
}

extension DatabaseContents.Table {
    /// How much it says to people: rows, up to a thousand, but texts more than numbers, and many columns more than two that
    /// connect other tables.
    fileprivate var weight: Int { min(rows?.count ?? 0, 1000) * (1 + 2 * min(texts, 4) + min(columns.count, 8)) }

    /// Such as `1,204 rows`, or `more than 27,000 rows`.
    var count: String? {
        guard let (count, isWhole) = rows else { return nil }
        if isWhole { return Self.grouped(count) + (count == 1 ? " row" : " rows") }
        // Two digits say enough.
        var unit = 1
        while count / unit >= 100 { unit *= 10 }
        return "more than " + Self.grouped(count / unit * unit) + " rows"
    }

    private static func grouped(_ number: Int) -> String {
        let digits = Array(String(number))
        return digits.indices.reduce(into: "") { text, index in
            if index > 0, (digits.count - index).isMultiple(of: 3) { text.append(",") }
            text.append(digits[index])
        }
    }
}

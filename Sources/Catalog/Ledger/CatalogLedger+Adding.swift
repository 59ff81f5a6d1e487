import SQLite
import VitrineKit

// Items that are new. Most of what a first look at a source costs is spent here: statements for many rows at once take
// half the time of those for one.
extension CatalogLedger {
    /// For how many rows there are statements, besides the one for a single row.
    private static let together = [64, 16, 4]

    /// The columns of an item that a listing tells, in the order in which they are bound.
    private static let listed = "size, seconds, nanoseconds, inode, etag, folder, name"
    private static let listedCount: Int32 = 7

    /// Inserts one item, and nothing when there is one of its name.
    static let insertion =
        "INSERT INTO item(\(listed)) VALUES (?, ?, ?, ?, ?, ?, ?) ON CONFLICT(folder, name) DO NOTHING"

    /// Adds files of a folder.
    /// - Parameters:
    ///   - files: of which none was known, unless a name comes twice.
    ///   - folder: the folder.
    /// - Returns: one item for each, in their order.
    func add(_ files: ArraySlice<Entry>, to folder: Int64) throws(PluginError) -> [MergedItem] {
        var items: [MergedItem] = []
        items.reserveCapacity(files.count)
        var rest = files
        while !rest.isEmpty {
            let count = Self.together.first { $0 <= rest.count } ?? 1
            let rows = rest.prefix(count)
            rest = rest.dropFirst(count)
            if count > 1, let first = try insert(rows, into: folder) {
                for id in first..<first + Int64(count) { items.append(Self.added(id)) }
            } else {
                for entry in rows { items.append(try add(entry, to: folder)) }
            }
        }
        return items
    }

    /// What is known of a name in a folder, brought to what was found there; `nil` when nothing is.
    func known(_ entry: Entry, in folder: Int64) throws(PluginError) -> MergedItem? {
        findItem.bind(folder, at: 1)
        try findItem.bind(entry.name, at: 2)
        defer { findItem.reset() }
        guard try findItem.step() else { return nil }
        return try compare(entry, Self.item(findItem))
    }

    private static func added(_ id: Int64) -> MergedItem {
        MergedItem(id: ItemID(rawValue: id), status: .added, state: .pending, plan: .none)
    }

    private func add(_ entry: Entry, to folder: Int64) throws(PluginError) -> MergedItem {
        try bind(entry, of: folder, to: insertItem, from: 1)
        try insertItem.run()
        guard database.changes == 1 else {
            // A name may come twice when its file is replaced while the folder is listed.
            guard let item = try known(entry, in: folder) else { throw lost("item") }
            return item
        }
        let id = database.lastRow
        try log(added: id, count: 1)
        return Self.added(id)
    }

    /// Inserts several rows at once.
    /// - Returns: the number of the first, which the others follow; `nil` when nothing was inserted, as a name is known.
    private func insert(_ rows: ArraySlice<Entry>, into folder: Int64) throws(PluginError) -> Int64? {
        let statement = try database.statement(Self.insertion(of: rows.count))
        var index: Int32 = 1
        for entry in rows {
            try bind(entry, of: folder, to: statement, from: index)
            index += Self.listedCount
        }
        do throws(PluginError) { try statement.run() } catch {
            guard database.violatedConstraint else { throw error }
            return nil
        }
        let first = database.lastRow - Int64(rows.count) + 1
        try log(added: first, count: Int64(rows.count))
        return first
    }

    private static let insertions = Dictionary(
        uniqueKeysWithValues: together.map { count in
            let row = "(?, ?, ?, ?, ?, ?, ?)"
            let rows = Array(repeating: row, count: count).joined(separator: ", ")
            return (count, "INSERT INTO item(\(listed)) VALUES " + rows)
        })

    private static func insertion(of count: Int) -> String { insertions[count] ?? insertion }

    private func bind(
        _ entry: Entry, of folder: Int64, to statement: Statement, from index: Int32
    ) throws(PluginError) {
        try bind(entry, to: statement, from: index)
        statement.bind(folder, at: index + 5)
        try statement.bind(entry.name, at: index + 6)
    }

    /// Sets what a listing says of a file besides its name: five parameters.
    func bind(_ entry: Entry, to statement: Statement, from index: Int32) throws(PluginError) {
        statement.bind(entry.size, at: index)
        statement.bind(entry.modified?.seconds, at: index + 1)
        statement.bind(entry.modified.map { Int64($0.nanoseconds) }, at: index + 2)
        statement.bind(entry.identifier.map { Int64(bitPattern: $0) }, at: index + 3)
        if let etag = entry.etag { try statement.bind(etag, at: index + 4) } else { statement.bindNull(at: index + 4) }
    }
}

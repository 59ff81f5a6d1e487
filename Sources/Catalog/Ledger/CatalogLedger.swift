import SQLite
import VitrineKit

/// The tables behind a ``Catalog``: one connection, used by one thread at a time.
final class CatalogLedger {
    let database: Database
    /// Paths of folders by number, for a while: putting one together takes a query for each level.
    private var paths: [Int64: [UInt8]] = [:]
    private var numbers: [Named: Int64] = [:]
    /// The last version, while a transaction is under way.
    private var version: Int64?
    /// The last items that were added, while their row of the log is not written.
    private var additions: (first: Int64, count: Int64)?

    /// How many paths are kept.
    private static let pathLimit = 4096
    /// How many folders may lie in each other: more are a ring, which only damage can make.
    private static let depthLimit = 1 << 20
    /// How many changes are kept for those who follow.
    static let changeLimit: Int64 = 1_000_000

    /// Statements that run once for each item: finding them by their text would cost as much as running them.
    let findItem: Statement
    let insertItem: Statement
    let findGone: Statement
    let findByInode: Statement
    private let insertChange: Statement
    private let schemaVersion: Statement

    init(_ database: Database) throws(PluginError) {
        self.database = database
        findItem = try Statement(
            database, "SELECT \(Self.itemColumns) FROM item WHERE folder = ? AND name = ?")
        insertItem = try Statement(database, Self.insertion)
        findGone = try Statement(
            database,
            "SELECT id, source, path, state, plan, renderer FROM gone "
                + "WHERE inode = ? AND size = ? AND seconds = ? AND nanoseconds = ?")
        findByInode = try Statement(
            database,
            "SELECT i.id, i.folder, i.name FROM numbered n CROSS JOIN item i ON i.id = n.item "
                + "WHERE n.inode = ?1 AND i.inode = ?1 AND i.size = ? AND i.seconds = ? AND i.nanoseconds = ?")
        insertChange = try Statement(
            database, "INSERT INTO change(version, kind, item, source, path, more) VALUES (?, ?, ?, ?, ?, ?)")
        schemaVersion = try Statement(database, "PRAGMA user_version")
    }

    /// Begins a transaction.
    /// - Throws: `unsupported` when a newer version of this program has changed the tables meanwhile: what this one would
    ///   write might not be all that belongs into them.
    func begin() throws(PluginError) {
        try database.execute("BEGIN IMMEDIATE")
        (version, additions) = (nil, nil)
        defer { schemaVersion.reset() }
        guard try schemaVersion.step(), schemaVersion.integer(0) <= CatalogSchema.version else {
            throw CatalogSchema.newerVersion(
                database,
                "was changed by a newer version of Vitrine while this one was at work; start it again with that")
        }
    }

    /// Ends a transaction, with the version written down.
    func commit() throws(PluginError) {
        try logAdditions()
        if let version {
            try database.run("UPDATE meta SET value = ? WHERE key = 'version'", .integer(version))
            try prune(version)
        }
        try database.execute("COMMIT")
    }

    /// Undoes a transaction, with what was remembered of rows that were never written.
    func rollback() {
        paths = [:]
        numbers = [:]
        // After a full disk SQLite has undone it already.
        if database.isInTransaction { try? database.execute("ROLLBACK") }
    }

    /// What happened to an item.
    enum ChangeKind: Int64 { case added = 1, changed, moved, removed, previewed }

    /// Writes a change down and counts the version up.
    func log(_ kind: ChangeKind, _ item: Int64, source: Int64? = nil, path: [UInt8]? = nil) throws(PluginError) {
        if kind == .added { return try log(added: item, count: 1) }
        try logAdditions()
        try write(kind, item, count: 1, source: source, path: path)
    }

    /// Writes down that items were added whose numbers follow each other, and counts the version up for each.
    func log(added first: Int64, count: Int64) throws(PluginError) {
        if let known = additions, known.first + known.count == first {
            additions = (known.first, known.count + count)
        } else {
            try logAdditions()
            additions = (first, count)
        }
    }

    private func logAdditions() throws(PluginError) {
        guard let (first, count) = additions else { return }
        additions = nil
        try write(.added, first, count: count, source: nil, path: nil)
    }

    private func write(
        _ kind: ChangeKind, _ item: Int64, count: Int64, source: Int64?, path: [UInt8]?
    ) throws(PluginError) {
        let last = if let version { version } else { try meta("version") }
        let next = last + count
        version = next
        insertChange.bind(next, at: 1)
        insertChange.bind(kind.rawValue, at: 2)
        insertChange.bind(item, at: 3)
        insertChange.bind(source, at: 4)
        try insertChange.bind(.bytes(path), at: 5)
        insertChange.bind(count - 1, at: 6)
        try insertChange.run()
    }

    func meta(_ key: String) throws(PluginError) -> Int64 {
        try database.first("SELECT value FROM meta WHERE key = ?", .text(key)) { $0.integer(0) } ?? 0
    }

    /// Forgets old changes, some thousand at a time.
    private func prune(_ version: Int64) throws(PluginError) {
        let oldest = try meta("oldest")
        guard version - oldest > Self.changeLimit + Self.changeLimit / 16 else { return }
        let kept = version - Self.changeLimit
        try database.run("DELETE FROM change WHERE version <= ?", .integer(kept))
        try database.run("UPDATE meta SET value = ? WHERE key = 'oldest'", .integer(kept))
    }

    /// The path of a folder in its source, without slashes at its ends.
    func path(ofFolder id: Int64) throws(PluginError) -> [UInt8] {
        if let path = paths[id] { return path }
        // Upwards without recursion: a tree may be deeper than a thread's stack.
        var names: [[UInt8]] = []
        var above: [UInt8] = []
        var next: Int64? = id
        while let folder = next {
            if let known = paths[folder] {
                above = known
                break
            }
            let row = try database.first("SELECT parent, name FROM folder WHERE id = ?", .integer(folder)) {
                ($0.optionalInteger(0), $0.bytes(1))
            }
            guard let (parent, name) = row, let parent else { break }
            names.append(name)
            next = parent
            guard names.count <= Self.depthLimit else { throw lost("root folder") }
        }
        for name in names.reversed() {
            if !above.isEmpty { above.append(UInt8(ascii: "/")) }
            above += name
        }
        if paths.count >= Self.pathLimit { paths = [:] }
        paths[id] = above
        return above
    }

    /// Forgets the paths that were kept, after folders were moved or deleted.
    func forgetPaths() { paths = [:] }

    func path(_ folder: Int64, _ name: [UInt8]) throws(PluginError) -> [UInt8] {
        let above = try path(ofFolder: folder)
        return above.isEmpty ? name : above + [UInt8(ascii: "/")] + name
    }

    /// The number of a MIME type.
    func type(_ name: String) throws(PluginError) -> Int64 {
        try number(of: .type(name)) { () throws(PluginError) in
            try database.run("INSERT OR IGNORE INTO type(name) VALUES (?)", .text(name))
            return try database.first("SELECT id FROM type WHERE name = ?", .text(name)) { $0.integer(0) }
        }
    }

    /// The number of a renderer.
    func renderer(_ name: String, _ version: String, _ title: String) throws(PluginError) -> Int64 {
        try number(of: .renderer(name, version, title)) { () throws(PluginError) in
            let values: [Value] = [.text(name), .text(version), .text(title)]
            try database.statement("INSERT OR IGNORE INTO renderer(name, version, title) VALUES (?, ?, ?)").run(values)
            return try database.first(
                "SELECT id FROM renderer WHERE name = ? AND version = ? AND title = ?", values[0], values[1], values[2]
            ) { $0.integer(0) }
        }
    }

    /// What has a number in a table of its own.
    private enum Named: Hashable {
        case type(String)
        case renderer(_ name: String, _ version: String, _ title: String)
    }

    private func number(
        of named: Named, _ find: () throws(PluginError) -> Int64?
    ) throws(PluginError) -> Int64 {
        if let known = numbers[named] { return known }
        guard let found = try find() else {
            throw PluginError(.corrupt, "the catalog '\(DisplayText.of(database.path))' lost a row that it was given")
        }
        if numbers.count >= Self.pathLimit { numbers = [:] }
        numbers[named] = found
        return found
    }
}

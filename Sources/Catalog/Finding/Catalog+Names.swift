import SQLite
public import VitrineKit

extension Catalog {
    /// How many items at least have names or texts that are not indexed yet: counting ends at 100,000 of a kind.
    /// - Returns: `nil` where what is counted is damaged. Most of that can be made anew, by ``completeIndex(while:)``, and only
    ///   who changes the catalog finds out whether a newer version changed it meanwhile.
    public func unindexedCount() throws(PluginError) -> Int? {
        do throws(PluginError) { return try count() } catch {
            guard error.code == .corrupt else { throw error }
            return nil
        }
    }

    private func count() throws(PluginError) -> Int {
        try with { ledger throws(PluginError) in
            let sql = """
                SELECT (SELECT count(*) FROM (SELECT 1 FROM item WHERE id > (SELECT upto FROM named) LIMIT ?1))
                    + (SELECT count(*) FROM (SELECT 1 FROM stale LIMIT ?1))
                    + (SELECT count(*) FROM (SELECT 1 FROM document WHERE indexed = 0 LIMIT ?1))
                """
            return try ledger.database.first(sql, .count(100_000)) { Int($0.integer(0)) } ?? 0
        }
    }

    /// Brings the indexes of names and texts up to date, some thousand at a time, so that others get a turn.
    ///
    /// It may be left off at any moment, also by the end of the process: the next call goes on from there. Some ten
    /// microseconds for a name.
    /// - Parameter goesOn: asked before each part; it ends when this says no. It may not call the catalog.
    /// - Returns: whether nothing is left to do.
    /// - Throws: `corrupt` when more than the indexes is damaged.
    @discardableResult
    public func completeIndex(while goesOn: () -> Bool = { true }) throws(PluginError) -> Bool {
        var areNew = false
        while goesOn() {
            do throws(PluginError) {
                if try change({ ledger throws(PluginError) in try ledger.indexSome() }) == 0 { return true }
            } catch {
                // A damaged index may want to write what is there already. They can be made anew, the rest of the catalog
                // had better not: what is damaged behind them is found so as often as they are made.
                guard error.code == .corrupt, !areNew else { throw error }
                try change { ledger throws(PluginError) in try ledger.forgetIndexes() }
                areNew = true
            }
        }
        return false
    }
}

// Names and times of items, and their texts, as they are indexed.
extension CatalogLedger {
    /// How many names are indexed in one transaction. Each ends in a piece of index that is merged with others later:
    /// fewer and larger ones are cheaper, but keep others waiting.
    private static let nameBatch = 20_000
    /// The same of documents, of which one takes up to half a millisecond. By a hundred, merging would cost as much again as
    /// indexing.
    private static let documentBatch = 400

    /// Indexes some of what is not indexed yet.
    /// - Returns: how much it was.
    fileprivate func indexSome() throws(PluginError) -> Int {
        let stale = try indexStale()
        if stale > 0 { return stale }
        let new = try indexNew()
        return new > 0 ? new : try indexDocuments()
    }

    private func indexStale() throws(PluginError) -> Int {
        let rows = try database.rows(
            """
            SELECT s.item, s.name, s.seconds, i.name, i.seconds, i.id <= (SELECT upto FROM named), s.size, i.size
            FROM stale s LEFT JOIN item i ON i.id = s.item LIMIT ?
            """, .count(Self.nameBatch)
        ) {
            (
                $0.integer(0), $0.optionalBytes(1), $0.optionalInteger(2), $0.optionalBytes(3), $0.optionalInteger(4),
                $0.integer(5), $0.optionalInteger(6), $0.optionalInteger(7)
            )
        }
        for (item, old, oldSeconds, new, seconds, isDue, oldSize, size) in rows {
            if let old {
                try database.run(
                    "INSERT INTO name_trigram(name_trigram, rowid, name) VALUES ('delete', ?, ?)", .integer(item),
                    .text(Trigrams.indexed(SearchText.folded(old))))
                try database.run(
                    "DELETE FROM recent WHERE seconds = ? AND item = ?", .integer(oldSeconds ?? .min), .integer(item))
                if let oldSize {
                    try database.run("DELETE FROM sized WHERE size = ? AND item = ?", .integer(oldSize), .integer(item))
                }
            }
            if let new, isDue != 0 { try index(item, new, seconds, size) }
            try database.run("DELETE FROM stale WHERE item = ?", .integer(item))
        }
        return rows.count
    }

    private func indexNew() throws(PluginError) -> Int {
        let rows = try database.rows(
            "SELECT id, name, seconds, size FROM item WHERE id > (SELECT upto FROM named) ORDER BY id LIMIT ?",
            .count(Self.nameBatch)
        ) { ($0.integer(0), $0.bytes(1), $0.optionalInteger(2), $0.optionalInteger(3)) }
        guard let last = rows.last else { return 0 }
        let names = try database.statement("INSERT INTO name_trigram(rowid, name) VALUES (?, ?)")
        for (item, name, _, _) in rows {
            names.bind(item, at: 1)
            try names.bind(Trigrams.indexed(SearchText.folded(name)), at: 2)
            try names.run()
        }
        let times = try database.statement("INSERT INTO recent VALUES (?, ?)")
        // In the order of the table, which touches fewer of its pages.
        for (item, _, seconds, _) in rows.sorted(by: { ($0.2 ?? .min, $0.0) < ($1.2 ?? .min, $1.0) }) {
            times.bind(seconds ?? .min, at: 1)
            times.bind(item, at: 2)
            try times.run()
        }
        let sizes = try database.statement("INSERT INTO sized VALUES (?, ?)")
        for (size, item) in rows.compactMap({ row in row.3.map { ($0, row.0) } }).sorted(by: { $0 < $1 }) {
            sizes.bind(size, at: 1)
            sizes.bind(item, at: 2)
            try sizes.run()
        }
        try database.run("UPDATE named SET upto = ?", .integer(last.0))
        return rows.count
    }

    private func index(_ item: Int64, _ name: [UInt8], _ seconds: Int64?, _ size: Int64?) throws(PluginError) {
        try database.run(
            "INSERT INTO name_trigram(rowid, name) VALUES (?, ?)", .integer(item),
            .text(Trigrams.indexed(SearchText.folded(name))))
        try database.run("INSERT OR IGNORE INTO recent VALUES (?, ?)", .integer(seconds ?? .min), .integer(item))
        guard let size else { return }
        try database.run("INSERT OR IGNORE INTO sized VALUES (?, ?)", .integer(size), .integer(item))
    }

    private func indexDocuments() throws(PluginError) -> Int {
        let items = try database.rows(
            "SELECT item FROM document WHERE indexed = 0 LIMIT ?", .count(Self.documentBatch)
        ) { $0.integer(0) }
        for item in items {
            if let document = try document(of: item) { try index(document, of: item, isRemoval: false) }
            try database.run("UPDATE document SET indexed = 1 WHERE item = ?", .integer(item))
        }
        return items.count
    }

    /// Puts a text into the indexes, or gives it back to them.
    func index(_ document: StoredDocument, of item: Int64, isRemoval: Bool) throws(PluginError) {
        let (title, first) = UnspacedScript.split(SearchText.folded(document.title.utf8))
        let (text, second) = UnspacedScript.split(SearchText.folded(document.text.utf8))
        let pieces = (first + second).map { Trigrams.indexed(Array($0.utf8)) }.joined(separator: " ")
        try database.run(
            isRemoval
                ? "INSERT INTO document_word(document_word, rowid, title, text) VALUES ('delete', ?, ?, ?)"
                : "INSERT INTO document_word(rowid, title, text) VALUES (?, ?, ?)",
            .integer(item), .text(title), .text(text))
        guard !pieces.isEmpty else { return }
        try database.run(
            isRemoval
                ? "INSERT INTO document_trigram(document_trigram, rowid, text) VALUES ('delete', ?, ?)"
                : "INSERT INTO document_trigram(rowid, text) VALUES (?, ?)", .integer(item), .text(pieces))
    }

    /// Empties the indexes, so that they are filled anew.
    func forgetIndexes() throws(PluginError) {
        for table in ["name_trigram", "document_word", "document_trigram"] {
            try database.execute("INSERT INTO \(table)(\(table)) VALUES ('delete-all')")
        }
        try database.execute(
            "DELETE FROM recent; DELETE FROM sized; DELETE FROM stale; UPDATE named SET upto = 0; UPDATE document SET indexed = 0"
        )
    }
}

import SQLite
import VitrineKit

/// One search.
///
/// A word that few names hold leads to these through the index of trigrams, and each is compared. One that many hold
/// would lead to too many of them: then items are gone through by their time, newest first, until enough are found,
/// which is soon, because many fit. The bound between the two is the square root of items times hits wanted, where both
/// cost the same.
final class Finder {
    let ledger: CatalogLedger
    let query: FindQuery
    let limit: Int
    /// How many candidates of an index are compared one by one.
    let bound: Int
    /// As they are looked for in names.
    let words: [[UInt8]]
    /// The same words as they are looked for in titles and texts; empty ones are not.
    let writtenWords: [[UInt8]]
    let filter: FindFilter
    private let read: Statement

    init(_ ledger: CatalogLedger, _ query: FindQuery) throws(PluginError) {
        self.ledger = ledger
        self.query = query
        limit = min(max(1, query.limit), FindQuery.maximumLimit)
        words = query.words.map(\.folded)
        writtenWords = query.words.map(\.written)
        filter = try FindFilter(ledger, query)
        read = try ledger.database.statement("SELECT \(Self.columns()) FROM item WHERE id = ?")
        let count = try ledger.database.first("SELECT upto FROM named") { $0.integer(0) } ?? 0
        bound = max(2000, Int((Double(count) * Double(limit)).squareRoot()))
    }

    /// What of an item is read, in the order that `hit` expects.
    private static func columns(_ table: String = "") -> String {
        ["id", "folder", "name", "size", "seconds", "nanoseconds", "type"].map { table + $0 }.joined(separator: ", ")
    }

    /// Items whose names hold all words.
    func named() throws(PluginError) -> [FindHit] {
        if let items = query.items { return try best(of: items.map(\.rawValue)) }
        if let few = try candidates() { return try best(of: few) }
        if let few = try sized(atMost: bound) { return try best(of: few) }
        return try newest()
    }

    /// Items of the sizes that are wanted; `nil` when any will do, or they are more.
    private func sized(atMost most: Int) throws(PluginError) -> [Int64]? {
        guard query.minimumSize != nil || query.maximumSize != nil else { return nil }
        let found = try ledger.database.rows(
            "SELECT item FROM sized WHERE size >= ? AND size <= ? LIMIT ?", .integer(query.minimumSize ?? .min),
            .integer(query.maximumSize ?? .max), .count(most + 1)
        ) { $0.integer(0) }
        return found.count > most ? nil : found
    }

    /// Items whose names may hold all words; `nil` when they are many.
    private func candidates() throws(PluginError) -> [Int64]? {
        if let expression = Trigrams.expression(words) {
            // Where types or a place are wanted as well, fewer fit, and going by the time takes longer.
            let most = query.types.isEmpty && query.place == nil ? bound : 4 * bound
            let found = try ledger.database.rows(
                "SELECT rowid FROM name_trigram WHERE name_trigram MATCH ? ORDER BY rowid DESC LIMIT ?",
                .text(expression), .count(most + 1)
            ) { $0.integer(0) }
            return found.count > most ? nil : found
        }
        guard let word = words.max(by: { $0.count < $1.count }) else { return nil }
        return try items(withTermsLike: word, in: "name_term").map { Array($0) }
    }

    /// Items with a trigram that begins so; `nil` when they are many.
    func items(withTermsLike word: [UInt8], in table: String) throws(PluginError) -> Set<Int64>? {
        let (from, to) = Trigrams.range(word)
        let found = try ledger.database.rows(
            "SELECT doc FROM \(table) WHERE term >= ? AND term < ? LIMIT ?", .text(from), .text(to), .count(bound + 1)
        ) { $0.integer(0) }
        return found.count > bound ? nil : Set(found)
    }

    private func best(of candidates: [Int64]) throws(PluginError) -> [FindHit] {
        var hits: [FindHit] = []
        for id in candidates {
            read.bind(id, at: 1)
            defer { read.reset() }
            if try read.step(), let hit = try fitting(read) { hits.append(hit) }
        }
        hits.sort(by: FindHit.precedes)
        return Array(hits.prefix(limit))
    }

    private func newest() throws(PluginError) -> [FindHit] {
        let statement = try ledger.database.statement(
            """
            SELECT \(Self.columns("i.")) FROM recent r CROSS JOIN item i ON i.id = r.item
            WHERE r.seconds >= ? AND r.seconds < ? ORDER BY r.seconds DESC, r.item DESC
            """)
        statement.bind(query.from ?? .min, at: 1)
        statement.bind(query.until ?? .max, at: 2)
        defer { statement.reset() }
        var hits: [FindHit] = []
        var visited = 0
        while hits.count < limit, try statement.step() {
            visited += 1
            if visited > 4 * bound { return try rest() }
            if let hit = try fitting(statement) { hits.append(hit) }
        }
        return hits
    }

    /// Few fit after all: the items that an index leads to, or all of them in the order in which they lie there.
    private func rest() throws(PluginError) -> [FindHit] {
        let most = 8 * bound
        if let expression = Trigrams.expression(words) {
            let found = try ledger.database.rows(
                "SELECT rowid FROM name_trigram WHERE name_trigram MATCH ? LIMIT ?", .text(expression), .count(most + 1)
            ) { $0.integer(0) }
            if found.count <= most { return try best(of: found) }
        }
        if let found = try sized(atMost: most) { return try best(of: found.sorted()) }
        return try all()
    }

    private func all() throws(PluginError) -> [FindHit] {
        let statement = try ledger.database.statement(
            """
            SELECT \(Self.columns()) FROM item WHERE (?1 IS NULL OR size >= ?1) AND (?2 IS NULL OR size <= ?2)
                AND (?3 IS NULL OR seconds >= ?3) AND (?4 IS NULL OR seconds < ?4) AND id <= (SELECT upto FROM named)
            """)
        try statement.bind([
            .number(query.minimumSize), .number(query.maximumSize), .number(query.from), .number(query.until),
        ])
        defer { statement.reset() }
        var hits: [FindHit] = []
        while try statement.step() {
            guard let hit = try fitting(statement) else { continue }
            hits.append(hit)
            if hits.count >= 4 * limit + 1000 {
                hits.sort(by: FindHit.precedes)
                hits.removeLast(hits.count - limit)
            }
        }
        hits.sort(by: FindHit.precedes)
        return Array(hits.prefix(limit))
    }

    /// The item of a row, if it has all words in its name and is what is wanted. What is cheap is asked first: very many
    /// rows fit in nothing.
    private func fitting(_ row: Statement) throws(PluginError) -> FindHit? {
        let (size, seconds, type) = (row.optionalInteger(3), row.optionalInteger(4) ?? .min, row.optionalInteger(6))
        let isCandidate = row.withBytes(2) { name in
            filter.mayAccept(size: size, seconds: seconds, type: type, name: name)
                && (words.isEmpty || SearchText.contains(name, all: words))
        }
        guard isCandidate else { return nil }
        let hit = Self.hit(row)
        return try filter.isInPlace(hit) ? hit : nil
    }

    func hit(_ id: Int64) throws(PluginError) -> FindHit? {
        read.bind(id, at: 1)
        defer { read.reset() }
        return try read.step() ? Self.hit(read) : nil
    }

    private static func hit(_ row: Statement) -> FindHit {
        FindHit(
            id: row.integer(0), match: .name, seconds: row.optionalInteger(4) ?? .min, folder: row.integer(1),
            name: row.bytes(2), size: row.optionalInteger(3), nanoseconds: row.integer(5),
            type: row.optionalInteger(6))
    }
}

import SQLite
public import VitrineKit

extension Catalog {
    /// Finds items, the best first: all words in the name, then in the title, then in the text; the newest first among
    /// equals.
    ///
    /// A name is found by any part of it, a text by its words, of which the last one of the query may be a beginning.
    /// Only what is indexed is found: see ``completeIndex(while:)``. Some milliseconds; a fraction of a second where
    /// much is to be looked through, such as all items for a size that few have.
    /// - Parameter query: what to look for.
    /// - Returns: at most ``FindQuery/limit`` items.
    public func find(_ query: FindQuery) throws(PluginError) -> [FoundItem] {
        do throws(PluginError) { return try search(query) } catch {
            guard error.code == .corrupt else { throw error }
            // If more than the indexes is damaged, this fails as well.
            try change { ledger throws(PluginError) in try ledger.forgetIndexes() }
            try completeIndex()
            return try search(query)
        }
    }

    private func search(_ query: FindQuery) throws(PluginError) -> [FoundItem] {
        try with { ledger throws(PluginError) in
            try ledger.database.snapshot { () throws(PluginError) in
                let finder = try Finder(ledger, query)
                var hits = try finder.named()
                if hits.count < finder.limit { hits += try finder.written(besides: Set(hits.map(\.id))) }
                return try hits.prefix(finder.limit).map { hit throws(PluginError) in try finder.found(hit) }
            }
        }
    }

    /// The number of an item; `nil` when the catalog does not know it.
    public func item(_ path: ItemPath, in source: SourceRecord) throws(PluginError) -> ItemID? {
        try with { ledger throws(PluginError) in
            var parts = path.bytes.split(separator: UInt8(ascii: "/")).map { Array($0) }
            guard let name = parts.popLast() else { return nil }
            var folder = source.root.rawValue
            for part in parts {
                let next = try ledger.database.first(
                    "SELECT id FROM folder WHERE parent = ? AND name = ?", .integer(folder), .bytes(part)
                ) { $0.integer(0) }
                guard let next else { return nil }
                folder = next
            }
            return try ledger.database.first(
                "SELECT id FROM item WHERE folder = ? AND name = ?", .integer(folder), .bytes(name)
            ) { ItemID(rawValue: $0.integer(0)) }
        }
    }
}

extension Catalog {
    /// Whether there is an item or a folder, or was one: what vanished is remembered until its grace time is over.
    public func hasSeen(_ path: ItemPath, in source: SourceRecord) throws(PluginError) -> Bool {
        try with { ledger throws(PluginError) in
            let root = source.root.rawValue
            if try ledger.isThere(path, below: root) { return true }
            if try ledger.knownFolder(path, below: root) != nil { return true }
            // What lay below: from its name with a slash to that with the sign after the slash.
            let slash = UInt8(ascii: "/")
            return try ledger.database.first(
                "SELECT 1 FROM gone WHERE source = ? AND (path = ? OR (path > ? AND path < ?)) LIMIT 1",
                .integer(source.id.rawValue), .bytes(path.bytes), .bytes(path.bytes + [slash]),
                .bytes(path.bytes + [slash + 1])
            ) { _ in true } ?? false
        }
    }
}

/// An item that fits, before all of it is looked up.
struct FindHit {
    var id: Int64
    var match: FoundItem.Match
    var seconds: Int64
    var folder: Int64
    var name: [UInt8]
    var size: Int64?
    var nanoseconds: Int64
    var type: Int64?

    /// Best first.
    static func precedes(_ one: FindHit, _ other: FindHit) -> Bool {
        if one.match != other.match { return one.match < other.match }
        return (one.seconds, one.id) > (other.seconds, other.id)
    }
}

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
    let words: [[UInt8]]
    private let filter: FindFilter
    private let read: Statement

    init(_ ledger: CatalogLedger, _ query: FindQuery) throws(PluginError) {
        self.ledger = ledger
        self.query = query
        limit = min(max(1, query.limit), FindQuery.maximumLimit)
        words = query.words.map(\.folded)
        filter = try FindFilter(ledger, query)
        read = try ledger.database.statement("SELECT \(Self.columns()) FROM item WHERE id = ?")
        let count = try ledger.database.first("SELECT upto FROM named") { $0.integer(0) } ?? 0
        bound = max(2000, Int((Double(count) * Double(limit)).squareRoot()))
    }

    /// What of an item is read, in the order that `hit` expects.
    private static func columns(_ table: String = "") -> String {
        ["id", "folder", "name", "size", "seconds", "nanoseconds", "type"].map { table + $0 }.joined(separator: ", ")
    }

    // MARK: By name

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

    private func hit(_ id: Int64) throws(PluginError) -> FindHit? {
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

    // MARK: By title and text

    /// Items some of whose words are in their title or text only.
    func written(besides named: Set<Int64>) throws(PluginError) -> [FindHit] {
        if words.isEmpty { return [] }
        var found: [Set<Int64>] = []
        for word in query.words { found.append(try documents(with: word)) }
        var hits: [FindHit] = []
        let candidates = found.reduce(into: Set<Int64>()) { $0.formUnion($1) }
        for id in candidates where !named.contains(id) {
            if let wanted = query.items, !wanted.contains(ItemID(rawValue: id)) { continue }
            guard var hit = try hit(id), try filter.accepts(hit) else { continue }
            let name = SearchText.folded(hit.name)
            var isInTitle: Bool?
            var title: [UInt8] = []
            var fits = true
            for index in words.indices where fits && !SearchText.contains(name, words[index]) {
                guard found[index].contains(id) else {
                    fits = false
                    break
                }
                if isInTitle == nil {
                    title = SearchText.folded(try self.title(of: id))
                    isInTitle = true
                }
                if !SearchText.contains(title, words[index]) { isInTitle = false }
            }
            // Without a word in title or text, it is one that was found by its name.
            guard fits, let isInTitle else { continue }
            hit.match = isInTitle ? .title : .text
            hits.append(hit)
        }
        hits.sort(by: FindHit.precedes)
        return Array(hits.prefix(limit))
    }

    /// Items whose title or text holds a word, the latest ones if they are very many.
    private func documents(with word: FindQuery.Word) throws(PluginError) -> Set<Int64> {
        let (spaced, pieces) = UnspacedScript.split(word.folded)
        var found: Set<Int64>?
        func narrow(_ items: some Sequence<Int64>) {
            found = found.map { $0.intersection(items) } ?? Set(items)
        }
        if spaced.unicodeScalars.contains(where: { $0.properties.isAlphabetic || $0.properties.numericType != nil }) {
            let expression = Trigrams.quoted(spaced.unicodeScalars) + (word.isPrefix && pieces.isEmpty ? " *" : "")
            narrow(try match(expression, in: "document_word"))
        }
        for piece in pieces.map({ Array($0.utf8) }) {
            if let expression = Trigrams.expression([piece]) {
                narrow(try match(expression, in: "document_trigram"))
            } else {
                narrow(try items(withTermsLike: piece, in: "document_term") ?? [])
            }
        }
        return found ?? []
    }

    private func match(_ expression: String, in table: String) throws(PluginError) -> [Int64] {
        try ledger.database.rows(
            "SELECT rowid FROM \(table) WHERE \(table) MATCH ? ORDER BY rowid DESC LIMIT ?", .text(expression),
            .count(bound)
        ) { $0.integer(0) }
    }

    private func title(of item: Int64) throws(PluginError) -> [UInt8] {
        try ledger.database.first("SELECT title FROM document WHERE item = ?", .integer(item)) { $0.bytes(0) } ?? []
    }
}

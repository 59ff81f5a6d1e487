import SQLite
import VitrineKit

// The part of a search that looks into titles and texts.
extension Finder {
    /// Items some of whose words are in their title or text only.
    func written(besides named: Set<Int64>) throws(PluginError) -> [FindHit] {
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
            // Signs alone may stand in a name, and mean nothing in a text.
            for index in words.indices
            where fits && !writtenWords[index].isEmpty && !SearchText.contains(name, words[index]) {
                guard found[index].contains(id) else {
                    fits = false
                    break
                }
                if isInTitle == nil {
                    title = SearchText.folded(try self.title(of: id))
                    isInTitle = true
                }
                if !SearchText.contains(title, writtenWords[index]) { isInTitle = false }
            }
            guard fits else { continue }
            // Where nothing but signs is missing in the name, one of its words is in title or text as well.
            hit.match = isInTitle == true ? .title : .text
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

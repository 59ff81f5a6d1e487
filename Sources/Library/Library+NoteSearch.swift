import SQLite
public import VitrineKit

extension Library {
    /// The most words of a query; the rest is not looked for.
    static let maximumWords = 32

    /// How many notes are found at most unless more are asked for.
    public static let foundNotes = 1000

    /// Finds notes that hold every word of a query, in title or text, whatever the order and the case.
    ///
    /// A word is found at the beginning of a word with accents left out (`cafe` finds `Cafés`), and anywhere as it is
    /// written, which serves scripts without blanks, and short words there.
    /// - Parameters:
    ///   - query: words separated by blanks; nothing in it has a meaning of its own.
    ///   - limit: how many notes at most. Default: ``foundNotes``.
    /// - Returns: the notes with the words in their titles first, then the latest first.
    public func findNotes(_ query: String, limit: Int = Library.foundNotes) throws(PluginError) -> [Note] {
        let words = query.split(whereSeparator: { $0.isWhitespace || $0 == "\0" }).prefix(Self.maximumWords)
            .map { String($0.prefix(100)) }
        guard !words.isEmpty else { return [] }
        return try read { (database) throws(PluginError) in
            // One query whatever the number of words: each narrows down what the last one left.
            let found = Array(repeating: Self.match, count: words.count).joined(separator: " INTERSECT ")
            let statement = try Statement(
                database, Self.noteColumns + "WHERE note.id IN (\(found)) ORDER BY modified DESC, note.id DESC LIMIT ?")
            var values: [Value] = []
            for word in words {
                let quoted = "\"" + word.replacing("\"", with: "\"\"") + "\""
                values.append(.text(Self.isWord(word) ? quoted + "*" : "\"\""))
                // The trigram index knows nothing shorter; such words are looked for in the texts themselves.
                let isLong = word.unicodeScalars.count >= 3
                values.append(.text(isLong ? quoted : "\"\""))
                values.append(isLong ? .null : .text("%" + Self.escaped(word) + "%"))
            }
            try statement.bind(values + [.integer(Int64(max(0, limit)))])
            var notes: [Note] = []
            while try statement.step() { notes.append(Self.note(statement)) }
            func isInTitle(_ note: Note) -> Bool {
                let title = note.title.lowercased()
                return words.allSatisfy { title.contains($0.lowercased()) }
            }
            return notes.filter(isInTitle) + notes.filter { !isInTitle($0) }
        }
    }

    /// The notes of one word: by whole words, by letters, and by looking.
    private static let match = """
        SELECT id FROM (SELECT rowid AS id FROM note_words WHERE note_words MATCH ? \
        UNION SELECT rowid FROM note_letters WHERE note_letters MATCH ? \
        UNION SELECT note.id FROM note, (SELECT ? AS pattern) \
        WHERE pattern IS NOT NULL AND (title LIKE pattern ESCAPE '\\' OR text LIKE pattern ESCAPE '\\'))
        """

    /// Whether the word index, which knows letters and digits only, looks for the whole word: `C++` is no `C` to it.
    private static func isWord(_ word: String) -> Bool {
        [word.first, word.last].allSatisfy { $0.map { $0.isLetter || $0.isNumber } ?? false }
    }

    private static func escaped(_ word: String) -> String {
        var out = ""
        for character in word {
            if "%_\\".contains(character) { out.append("\\") }
            out.append(character)
        }
        return out
    }
}

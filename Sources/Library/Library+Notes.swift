import SQLite
public import VitrineKit

extension Library {
    static let noteColumns =
        "SELECT note.id, name, uri, title, text, note.created, modified "
        + "FROM note LEFT JOIN collection ON collection.id = note.collection "

    /// Writes a note.
    /// - Parameters:
    ///   - subject: what it belongs to.
    ///   - title: one line of 1 to 200 characters.
    ///   - text: at most 1 MiB. Default: none.
    /// - Returns: the note.
    /// - Throws: `invalidArgument` when title or text are not allowed; `notFound` when there is no such collection.
    @discardableResult
    public func addNote(
        to subject: LibrarySubject, title: String, text: String = ""
    ) throws(PluginError) -> Note {
        try Note.check(title: title, text: text)
        return try change { (database, events) throws(PluginError) in
            let (column, value, known) = try Self.place(of: subject, database)
            try database.run(
                "INSERT INTO note(\(column), title, text, created, modified) VALUES (?1, ?2, ?3, ?4, ?4)", value,
                .text(title), .text(text), .integer(Self.now))
            let id = database.lastRow
            events.append(.noteAdded(id, known))
            return try Self.note(id, database)
        }
    }

    /// A note.
    /// - Throws: `notFound`.
    public func note(_ id: Int64) throws(PluginError) -> Note {
        try read { (database) throws(PluginError) in try Self.note(id, database) }
    }

    /// The notes of an item or a collection, or all, the oldest first.
    /// - Throws: `notFound` when there is no such collection.
    public func notes(of subject: LibrarySubject? = nil) throws(PluginError) -> [Note] {
        try read { (database) throws(PluginError) in
            guard let subject else { return try database.rows(Self.noteColumns + "ORDER BY note.id", row: Self.note) }
            let (column, value, _) = try Self.place(of: subject, database)
            return try database.rows(
                Self.noteColumns + "WHERE note.\(column) = ? ORDER BY note.id", value, row: Self.note)
        }
    }

    /// Changes a note; what is `nil` stays.
    /// - Returns: the note as it is now.
    /// - Throws: `notFound`; `invalidArgument` when title or text are not allowed.
    @discardableResult
    public func editNote(_ id: Int64, title: String? = nil, text: String? = nil) throws(PluginError) -> Note {
        try change { (database, events) throws(PluginError) in
            var note = try Self.note(id, database)
            let (title, text) = (title ?? note.title, text ?? note.text)
            try Note.check(title: title, text: text)
            guard !title.utf8.elementsEqual(note.title.utf8) || !text.utf8.elementsEqual(note.text.utf8) else {
                return note
            }
            let now = Self.now
            try database.run(
                "UPDATE note SET title = ?2, text = ?3, modified = ?4 WHERE id = ?1", .integer(id), .text(title),
                .text(text), .integer(now))
            events.append(.noteChanged(id, note.subject))
            (note.title, note.text, note.modified) = (title, text, Timestamp(seconds: now))
            return note
        }
    }

    /// Deletes a note.
    /// - Returns: what it was.
    /// - Throws: `notFound`.
    @discardableResult
    public func deleteNote(_ id: Int64) throws(PluginError) -> Note {
        try change { (database, events) throws(PluginError) in
            let note = try Self.note(id, database)
            try database.run("DELETE FROM note WHERE id = ?", .integer(id))
            events.append(.noteDeleted(id, note.subject))
            return note
        }
    }

    static func note(_ row: Statement) -> Note {
        Note(
            id: row.integer(0), subject: row.optionalText(1).map { .collection($0) } ?? .item(row.text(2)),
            title: row.text(3), text: row.text(4), created: Timestamp(seconds: row.integer(5)),
            modified: Timestamp(seconds: row.integer(6)))
    }

    private static func note(_ id: Int64, _ database: Database) throws(PluginError) -> Note {
        guard let note = try database.first(noteColumns + "WHERE note.id = ?", .integer(id), row: note) else {
            throw PluginError(
                .notFound, "there is no note \(id); 'vitrine note list' shows those there are")
        }
        return note
    }

    /// The column that names a subject, its value there, and the subject as it is spelt in the library.
    private static func place(
        of subject: LibrarySubject, _ database: Database
    ) throws(PluginError) -> (column: String, value: Value, subject: LibrarySubject) {
        switch subject {
        case .item(let uri): return ("uri", .text(uri), subject)
        case .collection(let name):
            let key = try knownCollection(name, database)
            return ("collection", .integer(key.id), .collection(key.name))
        }
    }
}

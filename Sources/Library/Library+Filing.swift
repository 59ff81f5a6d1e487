import SQLite
public import VitrineKit

/// A message that was put into a collection because its subject says so.
public struct FiledMessage: Hashable, Sendable {
    /// What tells it from all others.
    public var identity: String
    /// Where it was.
    public var uri: String
    /// The address that it said to be from.
    public var sender: String
    /// The name of the collection by then.
    public var collection: String
    /// The title of the note that its text became.
    public var title: String
    /// How many files came with it.
    public var files: Int
    /// When it was put there.
    public var filed: Timestamp

    /// Describes one; `filed` is set when it is written down.
    public init(
        identity: String, uri: String, sender: String, collection: String, title: String, files: Int,
        filed: Timestamp = Timestamp(seconds: 0)
    ) {
        self.identity = identity
        self.uri = uri
        self.sender = sender
        self.collection = collection
        self.title = title
        self.files = files
        self.filed = filed
    }
}

extension Library {
    /// Whether a message was put into a collection before, by this or another process.
    public func isFiled(_ identity: String) throws(PluginError) -> Bool {
        try read { (database) throws(PluginError) in
            try database.first("SELECT 1 FROM filed WHERE message = ?", .text(identity)) { _ in true } ?? false
        }
    }

    /// Writes down that a message is in a collection now, with its text as a note: both or neither.
    /// - Returns: whether it is new; somebody else may have been faster, and then nothing is written.
    /// - Throws: `notFound` when there is no such collection; `invalidArgument` when title or text are not allowed.
    @discardableResult
    public func file(_ message: FiledMessage, text: String) throws(PluginError) -> Bool {
        try Note.check(title: message.title, text: text)
        return try change { (database, events) throws(PluginError) in
            let key = try Self.knownCollection(message.collection, database)
            let now = Self.now
            try database.run(
                "INSERT OR IGNORE INTO filed(message, uri, sender, collection, title, files, filed) "
                    + "VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)",
                .text(message.identity), .text(message.uri), .text(message.sender), .text(key.name),
                .text(message.title), .integer(Int64(message.files)), .integer(now))
            guard database.changes > 0 else { return false }
            try database.run(
                "INSERT INTO note(collection, title, text, created, modified) VALUES (?1, ?2, ?3, ?4, ?4)",
                .integer(key.id), .text(message.title), .text(text), .integer(now))
            events.append(.noteAdded(database.lastRow, .collection(key.name)))
            return true
        }
    }

    /// The messages that were put into collections, the oldest first.
    public func filedMessages() throws(PluginError) -> [FiledMessage] {
        try read { (database) throws(PluginError) in
            try database.rows(
                "SELECT message, uri, sender, collection, title, files, filed FROM filed ORDER BY filed, rowid"
            ) { row in
                FiledMessage(
                    identity: row.text(0), uri: row.text(1), sender: row.text(2), collection: row.text(3),
                    title: row.text(4), files: Int(row.integer(5)), filed: Timestamp(seconds: row.integer(6)))
            }
        }
    }
}

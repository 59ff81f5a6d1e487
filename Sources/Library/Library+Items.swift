import SQLite
public import VitrineKit

extension Library {
    /// Whether an item has notes, is a favourite, or is in a collection.
    public func knows(_ uri: String) throws(PluginError) -> Bool {
        try read { (database) throws(PluginError) in
            try database.first(
                """
                SELECT EXISTS(SELECT 1 FROM note WHERE uri = ?1) OR EXISTS(SELECT 1 FROM favorite WHERE uri = ?1)
                    OR EXISTS(SELECT 1 FROM member WHERE uri = ?1)
                """, .text(uri)
            ) { $0.integer(0) != 0 } ?? false
        }
    }

    /// Lets everything that is kept about an item follow it to another URI.
    ///
    /// Called by who notices that a file was renamed or moved. Where something is kept about the new URI already, both
    /// come together.
    public func moved(_ uri: String, to new: String) throws(PluginError) {
        guard uri != new else { return }
        try change { (database, events) throws(PluginError) in try Self.move(uri, to: new, database, &events) }
    }

    /// Lets everything that is kept about an item follow it.
    static func move(
        _ uri: String, to new: String, _ database: Database, _ events: inout [LibraryEvent]
    ) throws(PluginError) {
        var touched = 0
        for table in ["member", "favorite"] {
            try database.run("UPDATE OR IGNORE \(table) SET uri = ?2 WHERE uri = ?1", .text(uri), .text(new))
            touched += database.changes
            // What is left was there under the new URI before.
            try database.run("DELETE FROM \(table) WHERE uri = ?", .text(uri))
            touched += database.changes
        }
        try database.run("UPDATE note SET uri = ?2 WHERE uri = ?1", .text(uri), .text(new))
        touched += database.changes
        if touched > 0 { events.append(.itemMoved(from: uri, to: new)) }
    }

    /// Deletes everything that is kept about an item: its notes, its places in collections, its being a favourite.
    ///
    /// Only for items that the user deletes: a file that is gone may be on a disk that comes back.
    public func forget(_ uri: String) throws(PluginError) {
        try change { (database, events) throws(PluginError) in
            let collections = try database.rows(
                "SELECT name FROM member JOIN collection ON collection.id = collection WHERE uri = ?", .text(uri)
            ) { $0.text(0) }
            let notes = try database.rows("SELECT id FROM note WHERE uri = ?", .text(uri)) { $0.integer(0) }
            try database.run("DELETE FROM member WHERE uri = ?", .text(uri))
            try database.run("DELETE FROM note WHERE uri = ?", .text(uri))
            try database.run("DELETE FROM favorite WHERE uri = ?", .text(uri))
            let wasFavorite = database.changes > 0
            events += collections.map { .itemRemoved(uri: uri, collection: $0) }
            events += notes.map { .noteDeleted($0, .item(uri)) }
            if wasFavorite { events.append(.favoriteRemoved(.item(uri))) }
            if !events.isEmpty { events.append(.itemForgotten(uri)) }
        }
    }
}

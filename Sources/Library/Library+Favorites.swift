import SQLite
public import VitrineKit

/// An item or a collection that the user likes best.
public struct Favorite: Hashable, Sendable {
    /// What it is.
    public var subject: LibrarySubject
    /// Since when.
    public var added: Timestamp
}

extension Library {
    /// Makes an item or a collection a favourite, or no favourite any more.
    /// - Returns: whether that changed anything.
    /// - Throws: `notFound` when there is no such collection.
    @discardableResult
    public func setFavorite(_ subject: LibrarySubject, _ isFavorite: Bool) throws(PluginError) -> Bool {
        try change { (database, events) throws(PluginError) in
            var subject = subject
            switch subject {
            case .item(let uri) where isFavorite:
                try database.run(
                    "INSERT OR IGNORE INTO favorite(uri, added) VALUES (?, ?)", .text(uri), .integer(Self.now))
            case .item(let uri): try database.run("DELETE FROM favorite WHERE uri = ?", .text(uri))
            case .collection(let name):
                let key = try Self.knownCollection(name, database)
                subject = .collection(key.name)
                try database.run(
                    "UPDATE collection SET favorite = ?2 WHERE id = ?1 AND (favorite IS NULL) = ?3", .integer(key.id),
                    isFavorite ? .integer(Self.now) : .null, .integer(isFavorite ? 1 : 0))
            }
            guard database.changes > 0 else { return false }
            events.append(isFavorite ? .favoriteAdded(subject) : .favoriteRemoved(subject))
            return true
        }
    }

    /// Whether an item or a collection is a favourite.
    public func isFavorite(_ subject: LibrarySubject) throws(PluginError) -> Bool {
        switch subject {
        case .collection(let name): try collection(named: name).isFavorite
        case .item(let uri):
            try read { (database) throws(PluginError) in
                try database.first("SELECT 1 FROM favorite WHERE uri = ?", .text(uri)) { _ in true } ?? false
            }
        }
    }

    /// All favourites: collections in the order of their names, then items, the oldest first.
    public func favorites() throws(PluginError) -> [Favorite] {
        try read { (database) throws(PluginError) in
            let collections = try database.rows(
                "SELECT name, favorite FROM collection WHERE favorite IS NOT NULL ORDER BY name"
            ) { Favorite(subject: .collection($0.text(0)), added: Timestamp(seconds: $0.integer(1))) }
            let items = try database.rows("SELECT uri, added FROM favorite ORDER BY added, rowid") {
                Favorite(subject: .item($0.text(0)), added: Timestamp(seconds: $0.integer(1)))
            }
            return collections + items
        }
    }
}

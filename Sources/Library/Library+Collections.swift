import PlaceNames
import SQLite
public import VitrineKit

extension Library {
    /// Makes an empty collection.
    /// - Throws: `invalidArgument` when the name is not allowed; `exists` when it is taken.
    public func createCollection(_ name: String) throws(PluginError) {
        try LibraryName.check(name, of: "collection")
        try change { (database, events) throws(PluginError) in
            if let known = try Self.collectionKey(name, database) {
                throw PluginError(.exists, "there is a collection called '\(known.name)' already")
            }
            try database.run(
                "INSERT INTO collection(name, created) VALUES (?, ?)", .text(name), .integer(Self.now))
            events.append(.collectionCreated(name))
        }
    }

    /// Deletes a collection with its notes. Items, and notes of items, stay, and so do copies on disk.
    /// - Returns: the items that it held.
    /// - Throws: `notFound`.
    @discardableResult
    public func deleteCollection(_ name: String) throws(PluginError) -> [CollectedItem] {
        try change { (database, events) throws(PluginError) in
            let key = try Self.knownCollection(name, database)
            let items = try Self.items(key.id, database)
            let notes = try database.rows("SELECT id FROM note WHERE collection = ?", .integer(key.id)) {
                $0.integer(0)
            }
            try database.run("DELETE FROM collection WHERE id = ?", .integer(key.id))
            events += items.map { .itemRemoved(uri: $0.uri, collection: key.name) }
            events += notes.map { .noteDeleted($0, .collection(key.name)) }
            events.append(.collectionDeleted(key.name))
            return items
        }
    }

    /// All collections, in the order of their names.
    public func collections() throws(PluginError) -> [ItemCollection] {
        try read { (database) throws(PluginError) in
            try database.rows(
                """
                SELECT name, created, favorite IS NOT NULL,
                    (SELECT count(*) FROM member WHERE member.collection = collection.id),
                    (SELECT count(*) FROM note WHERE note.collection = collection.id)
                FROM collection ORDER BY name
                """
            ) { row in
                ItemCollection(
                    name: row.text(0), created: Timestamp(seconds: row.integer(1)), isFavorite: row.integer(2) != 0,
                    itemCount: Int(row.integer(3)), noteCount: Int(row.integer(4)))
            }
        }
    }

    /// The collection of a name.
    /// - Throws: `notFound`.
    public func collection(named name: String) throws(PluginError) -> ItemCollection {
        guard let collection = LibraryName.first(of: try collections(), called: name, by: \.name) else {
            throw Self.noCollection(name)
        }
        return collection
    }

    /// The items of a collection, in the order in which they came.
    /// - Throws: `notFound`.
    public func items(of collection: String) throws(PluginError) -> [CollectedItem] {
        try read { (database) throws(PluginError) in
            try Self.items(try Self.knownCollection(collection, database).id, database)
        }
    }

    /// The names of the collections that an item is in.
    public func collections(of uri: String) throws(PluginError) -> [String] {
        try read { (database) throws(PluginError) in
            try database.rows(
                "SELECT name FROM member JOIN collection ON collection.id = collection WHERE uri = ? ORDER BY name",
                .text(uri)
            ) { $0.text(0) }
        }
    }

    /// Puts an item into a collection.
    /// - Parameters:
    ///   - uri: the item, which stays where it is.
    ///   - collection: the collection's name.
    /// - Returns: whether it is new there.
    /// - Throws: `notFound` when there is no such collection.
    @discardableResult
    public func add(_ uri: String, to collection: String) throws(PluginError) -> Bool {
        try change { (database, events) throws(PluginError) in
            let key = try Self.knownCollection(collection, database)
            guard try Self.item(uri, in: key.id, database) == nil else { return false }
            try database.run(
                "INSERT INTO member(collection, uri, added) VALUES (?, ?, ?)", .integer(key.id), .text(uri),
                .integer(Self.now))
            events.append(.itemAdded(uri: uri, collection: key.name))
            return true
        }
    }

    /// Puts a copy of an item into a collection.
    /// - Parameters:
    ///   - origin: the URI that was copied.
    ///   - collection: the collection's name.
    ///   - place: gives the finished copy its name and returns its URI. Called at most once, within the change; the
    ///     name is to be taken back by the caller when this throws afterwards.
    /// - Returns: the item that is now there; the older one when somebody else was faster, `place` is not called then.
    /// - Throws: `notFound` when there is no such collection, and what `place` throws.
    public func addCopy(
        of origin: String, to collection: String, place: () throws(PluginError) -> String
    ) throws(PluginError) -> CollectedItem {
        try change { (database, events) throws(PluginError) in
            let key = try Self.knownCollection(collection, database)
            if let item = try Self.item(origin, in: key.id, database) { return item }
            let uri = try place()
            let now = Self.now
            try database.run(
                "INSERT INTO member(collection, uri, origin, added) VALUES (?, ?, ?, ?)", .integer(key.id), .text(uri),
                .text(origin), .integer(now))
            events.append(.itemAdded(uri: uri, collection: key.name))
            return CollectedItem(uri: uri, origin: origin, added: Timestamp(seconds: now), isFavorite: false)
        }
    }

    /// Takes an item out of a collection. A copy stays on disk, and notes stay.
    /// - Parameters:
    ///   - uri: its URI, or the one that it was copied from.
    ///   - collection: the collection's name.
    /// - Returns: what it was.
    /// - Throws: `notFound` when there is no such collection or no such item in it.
    @discardableResult
    public func remove(_ uri: String, from collection: String) throws(PluginError) -> CollectedItem {
        try change { (database, events) throws(PluginError) in
            let key = try Self.knownCollection(collection, database)
            guard let item = try Self.item(uri, in: key.id, database) else {
                throw PluginError(.notFound, "'\(PlaceName.of(uri))' is not in the collection '\(key.name)'")
            }
            try database.run(
                "DELETE FROM member WHERE collection = ? AND uri = ?", .integer(key.id), .text(item.uri))
            events.append(.itemRemoved(uri: item.uri, collection: key.name))
            return item
        }
    }

    /// The item of a collection that a URI means, its own or the one that it was copied from.
    public func item(_ uri: String, in collection: String) throws(PluginError) -> CollectedItem? {
        try read { (database) throws(PluginError) in
            try Self.item(uri, in: try Self.knownCollection(collection, database).id, database)
        }
    }

    static func collectionKey(
        _ name: String, _ database: Database
    ) throws(PluginError) -> (id: Int64, name: String)? {
        let keys = try database.rows("SELECT id, name FROM collection ORDER BY name") {
            (id: $0.integer(0), name: $0.text(1))
        }
        return LibraryName.first(of: keys, called: name, by: \.name)
    }

    static func knownCollection(
        _ name: String, _ database: Database
    ) throws(PluginError) -> (id: Int64, name: String) {
        guard let key = try collectionKey(name, database) else { throw noCollection(name) }
        return key
    }

    static func noCollection(_ name: String) -> PluginError {
        PluginError(
            .notFound,
            "there is no collection called '\(DisplayText.of(name))'; 'vitrine collection list' shows those there "
                + "are, 'vitrine collection create' makes one")
    }

    private static let itemColumns =
        "SELECT uri, origin, member.added, EXISTS (SELECT 1 FROM favorite WHERE favorite.uri = member.uri) FROM member "

    private static func items(_ id: Int64, _ database: Database) throws(PluginError) -> [CollectedItem] {
        try database.rows(itemColumns + "WHERE collection = ? ORDER BY member.rowid", .integer(id), row: item)
    }

    private static func item(
        _ uri: String, in id: Int64, _ database: Database
    ) throws(PluginError) -> CollectedItem? {
        try database.first(
            itemColumns + "WHERE collection = ?1 AND (uri = ?2 OR origin = ?2)", .integer(id), .text(uri), row: item)
    }

    private static func item(_ row: Statement) -> CollectedItem {
        CollectedItem(
            uri: row.text(0), origin: row.optionalText(1), added: Timestamp(seconds: row.integer(2)),
            isFavorite: row.integer(3) != 0)
    }
}

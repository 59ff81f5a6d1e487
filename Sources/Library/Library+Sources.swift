import PlaceNames
import SQLite
public import VitrineKit

extension Library {
    private static let sourceColumns =
        "SELECT name, uri, hidden, follows_links, crosses_file_systems, added FROM source"

    /// Registers a source. Whether it is there is not looked at: it may be a disk that is not plugged in.
    /// - Parameters:
    ///   - name: see ``LibraryName/check(source:)``.
    ///   - source: its URI.
    ///   - options: how it is walked. Default: as the engine does.
    /// - Returns: what was kept.
    /// - Throws: `invalidArgument` when the name is not allowed; `exists` when name or URI are registered already.
    @discardableResult
    public func addSource(
        _ name: String, _ source: SourceURI, options: SourceOptions = SourceOptions()
    ) throws(PluginError) -> RegisteredSource {
        try LibraryName.check(source: name)
        return try change { (database, events) throws(PluginError) in
            if let known = try Self.sources(database).first(where: { $0.uri == source.text }) {
                throw PluginError(
                    .exists,
                    "'\(PlaceName.of(source))' is registered already, as '\(known.name)'")
            }
            try Self.refuseSource(name, database, hint: "give it another one with --name")
            let now = Self.now
            try database.run(
                "INSERT INTO source(name, uri, hidden, follows_links, crosses_file_systems, added) "
                    + "VALUES (?, ?, ?, ?, ?, ?)",
                .text(name), .text(source.text), Self.flag(options.hidden), Self.flag(options.followsLinks),
                Self.flag(options.crossesFileSystems), .integer(now))
            events.append(.sourceAdded(name: name, uri: source.text))
            return RegisteredSource(
                name: name, uri: source.text, options: options, added: Timestamp(seconds: now))
        }
    }

    /// The registered sources, in the order of their names.
    public func sources() throws(PluginError) -> [RegisteredSource] {
        try read { (database) throws(PluginError) in try Self.sources(database) }
    }

    /// The source of a name; `nil` when there is none.
    public func source(named name: String) throws(PluginError) -> RegisteredSource? {
        try sources().named(name)
    }

    /// The source of a URI; `nil` when there is none.
    /// - Parameter uri: as `SourceURI` writes it.
    public func source(at uri: String) throws(PluginError) -> RegisteredSource? {
        try read { (database) throws(PluginError) in
            try database.first(Self.sourceColumns + " WHERE uri = ?", .text(uri), row: Self.source)
        }
    }

    /// Takes a source off the list. Its files, previews, notes and places in collections stay.
    /// - Returns: what it was.
    /// - Throws: `notFound`.
    @discardableResult
    public func removeSource(_ name: String) throws(PluginError) -> RegisteredSource {
        try change { (database, events) throws(PluginError) in
            let source = try Self.knownSource(name, database)
            try database.run("DELETE FROM source WHERE uri = ?", .text(source.uri))
            events.append(.sourceRemoved(name: source.name, uri: source.uri))
            return source
        }
    }

    /// Gives a source another name.
    /// - Throws: `notFound`; `invalidArgument` when the name is not allowed; `exists` when it is taken.
    public func renameSource(_ name: String, to new: String) throws(PluginError) {
        try LibraryName.check(source: new)
        try change { (database, events) throws(PluginError) in
            let source = try Self.knownSource(name, database)
            guard !source.name.utf8.elementsEqual(new.utf8) else { return }
            // Another spelling of the same letters is no clash with itself.
            if !LibraryName.isSame(source.name, new) {
                try Self.refuseSource(new, database, hint: "choose another one")
            }
            try database.run("UPDATE source SET name = ? WHERE uri = ?", .text(new), .text(source.uri))
            events.append(.sourceRenamed(from: source.name, to: new, uri: source.uri))
        }
    }

    /// Registers a source at another place, and lets everything that is kept about its items follow.
    /// - Parameters:
    ///   - name: the source.
    ///   - new: where it is now.
    ///   - follow: the URI that an item has from now on; `nil` for one that stays what it is. Called for each of which
    ///     something is kept.
    /// - Returns: how many items followed.
    /// - Throws: `notFound`; `exists` when there is another source at the new place.
    @discardableResult
    public func moveSource(
        _ name: String, to new: SourceURI, follow: (String) -> String?
    ) throws(PluginError) -> Int {
        try change { (database, events) throws(PluginError) in
            let source = try Self.knownSource(name, database)
            if let other = try Self.sources(database).first(where: { $0.uri == new.text && $0.uri != source.uri }) {
                throw PluginError(
                    .exists,
                    "'\(PlaceName.of(new))' is registered already, as '\(DisplayText.of(other.name))'")
            }
            let items = try database.rows(
                "SELECT uri FROM member UNION SELECT uri FROM favorite UNION SELECT uri FROM note"
            ) { $0.optionalText(0) }
            var count = 0
            for case let uri? in items {
                guard let place = follow(uri), place != uri else { continue }
                try Self.move(uri, to: place, database, &events)
                count += 1
            }
            if source.uri != new.text {
                try database.run("UPDATE source SET uri = ? WHERE uri = ?", .text(new.text), .text(source.uri))
                events.append(.sourceMoved(name: source.name, from: source.uri, to: new.text))
            }
            return count
        }
    }

    /// Names are compared as people see them.
    private static func refuseSource(_ name: String, _ database: Database, hint: String) throws(PluginError) {
        guard let other = try sources(database).first(where: { LibraryName.isSame($0.name, name) }) else { return }
        throw PluginError(
            .exists,
            "there is a source called '\(other.name)' already, \(PlaceName.of(other.uri)); \(hint)")
    }

    private static func knownSource(_ name: String, _ database: Database) throws(PluginError) -> RegisteredSource {
        guard let source = try sources(database).named(name) else {
            throw PluginError(
                .notFound,
                "there is no source called '\(DisplayText.of(name))'; 'vitrine source list' shows those there are")
        }
        return source
    }

    private static func sources(_ database: Database) throws(PluginError) -> [RegisteredSource] {
        try database.rows(sourceColumns + " ORDER BY name", row: source)
    }

    private static func source(_ row: Statement) -> RegisteredSource {
        func flag(_ column: Int32) -> Bool? { row.optionalInteger(column).map { $0 != 0 } }
        return RegisteredSource(
            name: row.text(0), uri: row.text(1),
            options: SourceOptions(hidden: flag(2), followsLinks: flag(3), crossesFileSystems: flag(4)),
            added: Timestamp(seconds: row.integer(5)))
    }

    private static func flag(_ flag: Bool?) -> Value { flag.map { .integer($0 ? 1 : 0) as Value } ?? .null }
}

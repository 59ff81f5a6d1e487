import Synchronization

/// Paths over a service that knows its files by ids: grows as it is visited, and finds by path what the service finds by
/// id.
///
/// What a folder held when it was last listed is kept for a while, up to ``Limits/kept`` items in all and one larger folder
/// besides. It is asked for anew when it is too old, when something is looked for that it lacks, and when an item turns out
/// to be gone, to have another name or to lie elsewhere. A listing is always the service's own, and all of its pages are
/// asked for within one call: a backend for large folders says in its manifest how long that may take (`limits`,
/// `seconds`). May be used from many tasks at once.
///
/// What a hostile service may answer is bounded: listings without an end, marks that come again, folders that hold
/// themselves, and chains of folders without an end are refused with a reason. Names become components of paths by
/// ``IdentifiedName``; of several items of one name in a folder that with the shortest and lowest id keeps it, and the
/// others are told apart by their ids.
public final class IdentifierTree: Sendable {
    /// Bounds of a tree.
    public struct Limits: Sendable {
        /// The most items of one folder. Default: a million.
        public var children = 1_000_000
        /// The most bytes of ids, names, etags and marks of pages in one listing. Default: 256 MiB.
        public var bytes = 256 << 20
        /// How many items of all folders but the largest are kept in memory; one counts again for each KiB of its text.
        /// Default: 200,000.
        public var kept = 200_000
        /// The most folders on the way to an item. Default: 100.
        public var depth = 100
        /// How long the way to an item is believed without looking again, counted from the end of a listing; one that took
        /// more than a tenth of that is believed for ten times as long as it took. Default: a minute.
        public var age = Duration.seconds(60)

        /// The defaults.
        public init() {}
    }

    /// What a folder held.
    struct Level: Sendable {
        let items: [[UInt8]: IdentifiedItem]
        /// What it takes of ``Limits/kept``. An empty folder takes room, too.
        let room: Int
        /// When it was asked for.
        let began: ContinuousClock.Instant
        /// When all of it was there.
        let ended: ContinuousClock.Instant

        /// Whether it still shows the way to other items. Otherwise a folder that takes longer to list than it is believed
        /// would be listed for each of its files.
        func isBelieved(for age: Duration, at now: ContinuousClock.Instant = .now) -> Bool {
            now - ended < max(age, (ended - began) * 10)
        }
    }
    private struct Kept {
        var levels: [String: (level: Level, used: Int)] = [:]
        /// The sum of their ``Level/room``.
        var room = 0
        var uses = 0
    }

    let storage: any IdentifiedStorage
    let limits: Limits
    private let kept = Mutex(Kept())
    private let loads = SharedWork<String, Level>()

    /// A tree that nobody has visited.
    public init(_ storage: any IdentifiedStorage, limits: Limits = Limits()) {
        self.storage = storage
        self.limits = limits
    }

    /// Lists a folder, in pages of up to 1000 entries. All of it is asked for before the first page comes, since only then
    /// it is known which names are there twice.
    public func list(_ folder: ItemPath) -> any AsyncSequence<[Entry], PluginError> & Sendable {
        IdentifierListing(tree: self, folder: folder)
    }

    /// What a path is now, with one request when the way to it is known.
    /// - Throws: `notFound` when there is nothing.
    public func item(at path: ItemPath) async throws(PluginError) -> IdentifiedItem {
        guard !path.isRoot else { return named(try await storage.item(storage.root, kind: .folder), []) }
        let start = ContinuousClock.now
        let (known, level) = try await find(path)
        if level.began >= start { return known }
        if let now = try await current(known, at: path) { return now }
        return try await walk(path, notBefore: start).item
    }

    /// What a path was when its folder was last listed, without a request as long as that is remembered.
    /// - Throws: `notFound` when there was nothing, and there is nothing now.
    public func known(at path: ItemPath) async throws(PluginError) -> IdentifiedItem {
        guard !path.isRoot else { return try await item(at: path) }
        return try await find(path).item
    }

    /// Forgets what is remembered of all folders.
    public func forget() {
        kept.withLock {
            $0.levels = [:]
            $0.room = 0
        }
    }

    // MARK: Finding

    /// The item at a path as it was listed, however long ago; if it is missing, as it is.
    private func find(_ path: ItemPath) async throws(PluginError) -> (item: IdentifiedItem, level: Level) {
        let start = ContinuousClock.now
        do throws(PluginError) {
            return try await walk(path)
        } catch {
            guard error.code == .notFound else { throw error }
            return try await walk(path, notBefore: start)
        }
    }

    /// - Parameter moment: when each folder on the way was asked for at the earliest. Default: as long ago as is believed.
    func walk(
        _ path: ItemPath, notBefore moment: ContinuousClock.Instant? = nil
    ) async throws(PluginError) -> (item: IdentifiedItem, level: Level) {
        let components = path.bytes.split(separator: UInt8(ascii: "/")).map { Array($0) }
        guard components.count <= limits.depth else {
            throw PluginError(
                .limitExceeded, "'\(path)' lies \(components.count) folders deep; \(limits.depth) are followed")
        }
        var way = [storage.root]
        for (number, component) in components.enumerated() {
            let level = try await level(of: way[way.count - 1], notBefore: moment)
            guard let item = level.items[component] else { throw missing(path) }
            if item.entry.kind == .folder, way.contains(item.id) {
                throw PluginError(.io, "'\(path)' is refused: its folder holds itself, and there would be no end")
            }
            if number == components.count - 1 { return (item, level) }
            guard item.entry.kind == .folder else { throw missing(path) }
            way.append(item.id)
        }
        throw missing(path)
    }

    private func missing(_ path: ItemPath) -> PluginError { PluginError(.notFound, "there is no '\(path)'") }

    /// The item as the service says it is, if it is still what the path names.
    private func current(_ known: IdentifiedItem, at path: ItemPath) async throws(PluginError) -> IdentifiedItem? {
        let now: IdentifiedItem
        do throws(PluginError) { now = try await storage.item(known.id, kind: known.entry.kind) } catch {
            guard error.code == .notFound else { throw error }
            return nil
        }
        let name = path.name
        let hasName =
            IdentifiedName.component(of: now.entry.name) == name
            || IdentifiedName.component(of: now.entry.name, id: now.id) == name
        let isThere = now.parent == nil || known.parent == nil || now.parent == known.parent
        guard now.id == known.id, now.entry.kind == known.entry.kind, hasName, isThere else { return nil }
        return named(now, name)
    }

    // MARK: Levels

    /// What a folder held at some moment or later.
    /// - Parameter moment: see ``walk(_:notBefore:)``.
    private func level(
        of folder: String, notBefore moment: ContinuousClock.Instant?
    ) async throws(PluginError) -> Level {
        while true {
            let known = kept.withLock { kept -> Level? in
                guard let level = kept.levels[folder]?.level else { return nil }
                guard moment.map({ level.began >= $0 }) ?? level.isBelieved(for: limits.age) else { return nil }
                kept.uses += 1
                kept.levels[folder]?.used = kept.uses
                return level
            }
            if let known { return known }
            let level = try await loads.value(for: folder) { () throws(PluginError) in
                try await self.load(folder).level
            }
            // Who came late to somebody else's request may have been given what is too old for him.
            if moment.map({ level.began >= $0 }) ?? true { return level }
        }
    }

    /// Asks what a folder holds, and remembers it.
    func load(_ folder: String) async throws(PluginError) -> (level: Level, items: [IdentifiedItem]) {
        let began = ContinuousClock.now
        let (items, bytes) = try await children(of: folder)
        let level = Level(
            items: Dictionary(items.map { ($0.entry.name, $0) }, uniquingKeysWith: { first, _ in first }),
            room: items.count + bytes / 1024 + 1, began: began, ended: .now)
        keep(level, of: folder)
        return (level, items)
    }

    /// Remembers it, in the place of those that were not used for longest. The largest one does not count: if a folder were
    /// too large to be kept, it would be listed for each of its files.
    private func keep(_ level: Level, of folder: String) {
        kept.withLock { kept in
            if let old = kept.levels[folder]?.level {
                guard old.began <= level.began else { return }
                kept.room -= old.room
            }
            kept.uses += 1
            kept.levels[folder] = (level, kept.uses)
            kept.room += level.room
            while kept.room > limits.kept,
                kept.room - (kept.levels.values.map(\.level.room).max() ?? 0) > limits.kept,
                let oldest = kept.levels.min(by: { $0.value.used < $1.value.used })
            {
                kept.room -= oldest.value.level.room
                kept.levels[oldest.key] = nil
            }
        }
    }

    /// An item under the name that it has in paths.
    func named(_ item: IdentifiedItem, _ name: [UInt8]) -> IdentifiedItem {
        var item = item
        item.entry.name = name
        // FNV-1a, 64 bits.
        item.entry.identifier = item.id.utf8.reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
        return item
    }
}

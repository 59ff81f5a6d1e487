import Synchronization

/// Paths over a service that knows its files by ids: grows as it is visited, and finds by path what the service finds by
/// id.
///
/// What a folder held when it was last listed is kept for a while, up to ``Limits/kept`` items in all. It is asked for anew
/// when it is too old, when something is looked for that it lacks, and when an item turns out to be gone, to have another
/// name or to lie elsewhere. A listing is always the service's own. May be used from many tasks at once.
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
        /// How many items of all folders together are kept in memory. Default: 200,000.
        public var kept = 200_000
        /// The most folders on the way to an item. Default: 100.
        public var depth = 100
        /// How long the way to an item is believed without looking again. Default: a minute.
        public var age = Duration.seconds(60)

        /// The defaults.
        public init() {}
    }

    /// What a folder held.
    struct Level: Sendable {
        let items: [[UInt8]: IdentifiedItem]
        /// When it was asked for.
        let began: ContinuousClock.Instant
    }
    private struct Kept {
        var levels: [String: (level: Level, used: Int)] = [:]
        var items = 0
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
            $0.items = 0
        }
    }

    // MARK: Finding

    /// The item at a path as it was listed, however long ago; if it is missing, as it is.
    private func find(_ path: ItemPath) async throws(PluginError) -> (item: IdentifiedItem, level: Level) {
        let start = ContinuousClock.now
        do throws(PluginError) {
            return try await walk(path, notBefore: start - limits.age)
        } catch {
            guard error.code == .notFound else { throw error }
            return try await walk(path, notBefore: start)
        }
    }

    func walk(
        _ path: ItemPath, notBefore moment: ContinuousClock.Instant
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
    func level(of folder: String, notBefore moment: ContinuousClock.Instant) async throws(PluginError) -> Level {
        while true {
            let known = kept.withLock { kept -> Level? in
                guard let level = kept.levels[folder]?.level, level.began >= moment else { return nil }
                kept.uses += 1
                kept.levels[folder]?.used = kept.uses
                return level
            }
            if let known { return known }
            let level = try await loads.value(for: folder) { () throws(PluginError) in try await self.load(folder).level
            }
            // Who came late to somebody else's request may have been given what is too old for him.
            if level.began >= moment { return level }
        }
    }

    /// Asks what a folder holds, and remembers it.
    func load(_ folder: String) async throws(PluginError) -> (level: Level, items: [IdentifiedItem]) {
        let began = ContinuousClock.now
        let items = try await children(of: folder)
        let level = Level(
            items: Dictionary(items.map { ($0.entry.name, $0) }, uniquingKeysWith: { first, _ in first }), began: began)
        keep(level, of: folder)
        return (level, items)
    }

    private func keep(_ level: Level, of folder: String) {
        kept.withLock { kept in
            if let old = kept.levels[folder]?.level {
                guard old.began <= level.began else { return }
                kept.items -= old.items.count + 1
                kept.levels[folder] = nil
            }
            guard level.items.count < limits.kept else { return }
            kept.uses += 1
            kept.levels[folder] = (level, kept.uses)
            // An empty folder takes room, too.
            kept.items += level.items.count + 1
            while kept.items > limits.kept, let oldest = kept.levels.min(by: { $0.value.used < $1.value.used }) {
                kept.items -= oldest.value.level.items.count + 1
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

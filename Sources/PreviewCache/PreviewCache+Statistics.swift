import Glibc
import VitrineKit

/// What lies in a cache.
public struct CacheStatistics: Sendable {
    /// One folder of the cache.
    public struct Part: Sendable {
        /// `normal` to `xx-large`, `own`, or the name of a folder of failures.
        public var name: String
        /// Entries by the program that made them; `Vitrine` for this one's.
        public var makers: [String: CacheTally] = [:]
        /// All of it.
        public var total: CacheTally { makers.values.reduce(CacheTally(), +) }
    }

    /// The standard's size folders that hold something, smallest first.
    public var sizes: [Part] = []
    /// Vitrine's own store.
    public var own = Part(name: "own")
    /// Remembered failures, by program and version.
    public var failures: [Part] = []
    /// All that the quota counts.
    public var ours = CacheTally()
    /// Bytes of the whole shared store, as desktops count them that purge it.
    public var sharedBytes: Int64 = 0
    /// When the entry of Vitrine's that was not used for the longest time was used, in seconds since 1970.
    public var oldestUse: Int64?
    /// When one of Vitrine's entries was last used.
    public var newestUse: Int64?
    /// Links in the cache's folders, which are never followed.
    public var links = 0
    /// Files that are no entries.
    public var others = 0

    /// What stands for the programs beyond the first hundred.
    static let otherMakers = "others"
    /// What stands for entries that do not name their program.
    static let unknownMaker = "unknown"
}

extension PreviewCache {
    /// Looks at everything that lies in the cache; reads the keys of the shared entries, some 10 µs for each.
    public func statistics() -> CacheStatistics {
        let tree = CacheTree(self)
        var parts = tree.places.map { CacheStatistics.Part(name: Self.name($0)) }
        var result = CacheStatistics()
        let now = Int64(time(nil))
        tree.walk { record, folder, name in
            let index = Int(record.place)
            var maker = "Vitrine"
            switch tree.places[index] {
            case .own: break
            case .failures(let program):
                if !program.hasPrefix("vitrine-") { maker = program }
                result.sharedBytes += Int64(record.size)
            case .standard:
                let facts = EntryFacts(name, in: folder)
                if facts?.isOurs != true { maker = Self.maker(facts?.software) }
                result.sharedBytes += Int64(record.size)
            }
            if maker != "Vitrine", parts[index].makers[maker] == nil, parts[index].makers.count >= 100 {
                maker = CacheStatistics.otherMakers
            }
            parts[index].makers[maker, default: CacheTally()].add(record)
            guard maker == "Vitrine" else { return }
            result.ours.add(record)
            let use = min(Int64(record.lastUse), now)
            result.oldestUse = min(use, result.oldestUse ?? use)
            result.newestUse = max(use, result.newestUse ?? use)
        }
        for (place, part) in zip(tree.places, parts) {
            switch place {
            case .standard: if part.total.count > 0 { result.sizes.append(part) }
            case .own: result.own = part
            case .failures: if part.total.count > 0 { result.failures.append(part) }
            }
        }
        result.links = tree.links
        result.others = tree.others
        return result
    }

    private static func name(_ place: CachePlace) -> String {
        switch place {
        case .standard(let size): size.description
        case .own: "own"
        case .failures(let program): program
        }
    }

    /// A program's name without its version. Foreign text: shortened, and never taken for Vitrine's.
    private static func maker(_ software: String?) -> String {
        let name = software?.split(separator: " ").first.map { DisplayText.of(String($0.prefix(40))) } ?? ""
        return name.isEmpty || name == "Vitrine" ? CacheStatistics.unknownMaker : name
    }
}

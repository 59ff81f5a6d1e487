import SQLite
import VitrineKit

/// What must be true of an item besides its words.
final class FindFilter {
    private let ledger: CatalogLedger
    private let query: FindQuery
    /// The numbers of the types that are wanted.
    private let types: Set<Int64>
    /// Whether a type that a name promises is wanted, by the end of the name.
    private var suffixes: [[UInt8]: Bool] = [:]
    private var folders: [Int64: Bool] = [:]

    /// How many answers are kept.
    private static let memory = 4096

    init(_ ledger: CatalogLedger, _ query: FindQuery) throws(PluginError) {
        self.ledger = ledger
        self.query = query
        var types: Set<Int64> = []
        if !query.types.isEmpty {
            let known = try ledger.database.rows("SELECT id, name FROM type") { ($0.integer(0), $0.text(1)) }
            types = Set(known.filter { Self.isWanted($0.1, query.types) }.map(\.0))
        }
        self.types = types
    }

    func accepts(_ hit: FindHit) throws(PluginError) -> Bool {
        if let least = query.minimumSize, hit.size.map({ $0 < least }) ?? true { return false }
        if let most = query.maximumSize, hit.size.map({ $0 > most }) ?? true { return false }
        if let from = query.from, hit.seconds < from || hit.seconds == .min { return false }
        if let until = query.until, hit.seconds >= until || hit.seconds == .min { return false }
        return isWanted(hit) ? try isInPlace(hit) : false
    }

    private func isWanted(_ hit: FindHit) -> Bool {
        if query.types.isEmpty { return true }
        if let type = hit.type { return types.contains(type) }
        guard let typeOfName = query.typeOfName else { return false }
        let suffix = hit.name.lastIndex(of: UInt8(ascii: ".")).map { Array(hit.name[$0...]) } ?? hit.name
        if let known = suffixes[suffix] { return known }
        let isWanted = Self.isWanted(typeOfName(hit.name), query.types)
        if suffixes.count >= Self.memory { suffixes = [:] }
        suffixes[suffix] = isWanted
        return isWanted
    }

    private static func isWanted(_ type: String, _ wanted: [String]) -> Bool {
        wanted.contains { type == $0 || (($0.hasSuffix("/") || $0.hasSuffix(".")) && type.hasPrefix($0)) }
    }

    private func isInPlace(_ hit: FindHit) throws(PluginError) -> Bool {
        guard let place = query.place else { return true }
        if let known = folders[hit.folder] { return known }
        let source = try ledger.database.first("SELECT source FROM folder WHERE id = ?", .integer(hit.folder)) {
            $0.integer(0)
        }
        let path = try ItemPath(try ledger.path(ofFolder: hit.folder))
        let isThere = source == place.source.rawValue && path.below(place.folder) != nil
        if folders.count >= Self.memory { folders = [:] }
        folders[hit.folder] = isThere
        return isThere
    }
}

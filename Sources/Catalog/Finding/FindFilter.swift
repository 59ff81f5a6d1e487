import SQLite
import VitrineKit

/// What must be true of an item besides its words.
final class FindFilter {
    private let ledger: CatalogLedger
    private let query: FindQuery
    /// The numbers of the types that are wanted.
    private let types: Set<Int64>
    /// Whether a type that a name promises is wanted, by the end of the name; by its bytes as a number if they are few.
    private var suffixes: [[UInt8]: Bool] = [:]
    private var shortSuffixes: [UInt64: Bool] = [:]
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
        let isWanted = hit.name.withUnsafeBytes {
            mayAccept(size: hit.size, seconds: hit.seconds, type: hit.type, name: $0)
        }
        return isWanted ? try isInPlace(hit) : false
    }

    /// Whether an item has the size, the time and the type that are wanted, which costs next to nothing.
    func mayAccept(size: Int64?, seconds: Int64, type: Int64?, name: UnsafeRawBufferPointer) -> Bool {
        if let least = query.minimumSize, size.map({ $0 < least }) ?? true { return false }
        if let most = query.maximumSize, size.map({ $0 > most }) ?? true { return false }
        if let from = query.from, seconds < from || seconds == .min { return false }
        if let until = query.until, seconds >= until || seconds == .min { return false }
        if query.types.isEmpty { return true }
        return type.map(types.contains) ?? isPromised(by: name)
    }

    private func isPromised(by name: UnsafeRawBufferPointer) -> Bool {
        guard let typeOfName = query.typeOfName else { return false }
        let suffix = UnsafeRawBufferPointer(rebasing: name[(name.lastIndex(of: UInt8(ascii: ".")) ?? 0)...])
        // A dot comes first unless it is the whole name, so that no two suffixes are the same number.
        if suffix.count < 8, suffix.first == UInt8(ascii: ".") {
            let number = suffix.reduce(0) { $0 << 8 | UInt64($1) }
            return answer(&shortSuffixes, number) { Self.isWanted(typeOfName(Array(name)), query.types) }
        }
        return answer(&suffixes, Array(suffix)) { Self.isWanted(typeOfName(Array(name)), query.types) }
    }

    private func answer<Key>(_ known: inout [Key: Bool], _ key: Key, _ find: () -> Bool) -> Bool {
        if let answer = known[key] { return answer }
        let answer = find()
        if known.count >= Self.memory { known = [:] }
        known[key] = answer
        return answer
    }

    private static func isWanted(_ type: String, _ wanted: [String]) -> Bool {
        wanted.contains { type == $0 || (($0.hasSuffix("/") || $0.hasSuffix(".")) && type.hasPrefix($0)) }
    }

    /// Whether an item lies where it is wanted.
    func isInPlace(_ hit: FindHit) throws(PluginError) -> Bool {
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

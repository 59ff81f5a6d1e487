import Catalog

/// Lets files with the same size and the same first bytes be worked on one after the other, so that the second finds
/// what the first was made into.
///
/// What was made in the last moments is remembered here, since the catalog hears of it a little later.
actor TwinTable {
    /// What candidates have in common.
    struct Key: Hashable, Sendable {
        var size: Int64
        var head: UInt64
    }

    private var busy: [Key: [CheckedContinuation<Void, Never>]] = [:]
    private var recent: [Key: [Twin]] = [:]
    private var order: [Key] = []

    /// How many keys are remembered: more than are made between two batches of the catalog.
    private static let limit = 4096
    /// How many candidates of one key.
    private static let depth = 4

    /// Waits until no other file with this key is worked on.
    /// - Returns: what was made lately of files with it.
    func enter(_ key: Key) async -> [Twin] {
        while busy[key] != nil {
            await withCheckedContinuation { busy[key]?.append($0) }
        }
        busy[key] = []
        return recent[key] ?? []
    }

    /// Ends the work on a file; the next one with its key begins.
    /// - Parameter made: what it was made into, if it was.
    func leave(_ key: Key, made: Twin?) {
        if let made {
            if recent[key] == nil { order.append(key) }
            recent[key, default: []].insert(made, at: 0)
            if recent[key, default: []].count > Self.depth { recent[key]?.removeLast() }
            if order.count > Self.limit { recent[order.removeFirst()] = nil }
        }
        for waiting in busy.removeValue(forKey: key) ?? [] { waiting.resume() }
    }
}

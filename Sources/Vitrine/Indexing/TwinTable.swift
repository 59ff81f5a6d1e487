import Catalog
import Synchronization

/// Lets files with the same size and the same first bytes be worked on one after the other, so that the second finds
/// what the first was made into.
///
/// What was made in the last moments is remembered here, since the catalog hears of it a little later.
final class TwinTable: Sendable {
    /// What candidates have in common.
    struct Key: Hashable, Sendable {
        var size: Int64
        var head: UInt64
    }

    private struct State {
        /// Who waits for a key that is worked on.
        var busy: [Key: [CheckedContinuation<Void, Never>]] = [:]
        var recent: [Key: [Twin]] = [:]
        /// The keys of `recent`, the oldest first.
        var order: [Key] = []
    }

    private let state = Mutex(State())

    /// How many keys are remembered at least: more than are made between two batches of the catalog. There may be twice
    /// as many, so that they are forgotten many at a time.
    static let limit = 4096
    /// How many candidates of one key.
    private static let depth = 4

    /// Waits until no other file with this key is worked on.
    /// - Returns: what was made lately of files with it.
    func enter(_ key: Key) async -> [Twin] {
        while true {
            let made = state.withLock { state -> [Twin]? in
                guard state.busy[key] == nil else { return nil }
                state.busy[key] = []
                return state.recent[key] ?? []
            }
            if let made { return made }
            await withCheckedContinuation { continuation in
                let isFree = state.withLock { state in
                    guard state.busy[key] != nil else { return true }
                    state.busy[key]?.append(continuation)
                    return false
                }
                if isFree { continuation.resume() }
            }
        }
    }

    /// Ends the work on a file; the next one with its key begins.
    /// - Parameter made: what it was made into, if it was.
    func leave(_ key: Key, made: Twin?) {
        let waiting = state.withLock { state in
            if let made { Self.remember(made, key, &state) }
            return state.busy.removeValue(forKey: key) ?? []
        }
        for continuation in waiting { continuation.resume() }
    }

    /// How many wait for a key that is worked on.
    func waiting(for key: Key) -> Int { state.withLock { $0.busy[key]?.count ?? 0 } }

    private static func remember(_ twin: Twin, _ key: Key, _ state: inout State) {
        if state.recent[key] == nil { state.order.append(key) }
        state.recent[key, default: []].insert(twin, at: 0)
        if state.recent[key, default: []].count > depth { state.recent[key]?.removeLast() }
        guard state.order.count > 2 * limit else { return }
        for old in state.order.prefix(limit) { state.recent[old] = nil }
        state.order.removeFirst(limit)
    }
}

import Synchronization

/// Room that a run has taken in the account beyond what it needs at the moment, so that most entries are stored without a
/// look at the file that all processes share.
///
/// What lies here counts as taken for everybody. It is given back when the run ends; what a killed process had taken, the
/// next count finds out. A count that another process makes meanwhile knows nothing of it: for as long as the run takes,
/// the cache may then hold a thousandth of the quota more for each such run.
final class RoomAhead: Sendable {
    private struct State {
        var runs = 0
        var left: Int64 = 0
        /// What the account said when something was taken last.
        var total: Int64 = 0
    }

    private let state = Mutex(State())

    /// The most bytes that are taken ahead.
    private static let most: Int64 = 4 << 20

    /// How many bytes to take at once within a quota; 0 when no run is under way.
    func piece(of limit: Int64) -> Int64 { state.withLock { $0.runs > 0 ? min(Self.most, limit / 1024) : 0 } }

    /// Takes bytes for an entry.
    /// - Returns: what the account said last; `nil` when there are not enough.
    func take(_ bytes: Int64) -> Int64? {
        state.withLock { state in
            guard state.left > 0, state.left >= bytes else { return nil }
            state.left -= bytes
            return state.total
        }
    }

    /// Keeps what was taken in the account.
    /// - Parameter total: what that says now.
    /// - Returns: what is to be given back to it: everything, when the last run has ended meanwhile.
    func add(_ bytes: Int64, total: Int64) -> Int64 {
        state.withLock { state in
            guard state.runs > 0 else { return bytes }
            state.left += bytes
            state.total = total
            return 0
        }
    }

    /// Settles what an entry took more, or less, than was reserved for it.
    /// - Returns: what is left to be settled in the account.
    func settle(_ bytes: Int64) -> Int64 {
        state.withLock { state in
            guard state.runs > 0, state.left > 0, 0...Self.most * 2 ~= state.left - bytes else { return bytes }
            state.left -= bytes
            return 0
        }
    }

    /// A run begins.
    func begin() { state.withLock { $0.runs += 1 } }

    /// A run ends.
    /// - Returns: what is to be given back to the account: everything, after the last one.
    func end() -> Int64 {
        state.withLock { state in
            state.runs -= 1
            return state.runs > 0 ? 0 : Self.empty(&state)
        }
    }

    /// Everything, which is to be given back to the account.
    func drain() -> Int64 { state.withLock { Self.empty(&$0) } }

    private static func empty(_ state: inout State) -> Int64 {
        defer { state.left = 0 }
        return state.left
    }
}

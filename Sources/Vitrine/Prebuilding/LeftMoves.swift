import Synchronization

/// Items that a run found at another place, and with which nobody dealt before it was stopped. The catalog says that they are
/// there, so that the next run would see nothing to be done.
final class LeftMoves: Sendable {
    private let moves = Mutex<[(item: Item, old: MovedItem)]>([])

    /// Keeps a step, if it is such an item.
    func add(_ step: WalkStep) {
        guard case .moved(let item, let old) = step else { return }
        moves.withLock { $0.append((item, old)) }
    }

    /// Takes all of them.
    func take() -> [(item: Item, old: MovedItem)] {
        moves.withLock { moves in
            defer { moves = [] }
            return moves
        }
    }
}

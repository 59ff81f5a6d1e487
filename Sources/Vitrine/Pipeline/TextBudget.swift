import Synchronization

/// How many documents a run opens for nothing but their texts, so that one with a new catalog takes little longer than
/// others; the next run goes on.
final class TextBudget: Sendable {
    private let left: Atomic<Int>

    /// - Parameter count: how many. Default: 2,000.
    init(_ count: Int = 2000) { left = Atomic(count) }

    /// Takes one.
    /// - Returns: whether there was one.
    func take() -> Bool { left.subtract(1, ordering: .relaxed).oldValue > 0 }
}

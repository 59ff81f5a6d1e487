import Synchronization

/// How urgent a piece of work is. It can become more urgent while it waits: when somebody asks to see what a batch
/// has not come to yet.
final class Urgency: Sendable {
    private let level: Atomic<Int>

    init(_ priority: WorkPriority) { level = Atomic(priority.rawValue) }

    /// Raises the urgency; it never falls.
    func raise(to priority: WorkPriority) { level.max(priority.rawValue, ordering: .relaxed) }

    func isAtLeast(_ priority: WorkPriority) -> Bool { level.load(ordering: .relaxed) >= priority.rawValue }
}

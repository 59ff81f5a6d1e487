/// Who goes first.
public enum WorkPriority: Int, Sendable {
    /// Nobody waits for it.
    case batch = 0
    /// Somebody has just saved it, and may look soon.
    case recent = 1
    /// Somebody looks at an empty frame right now.
    case interactive = 2
}

/// One layer of containment and whether it holds.
public struct LayerLine: Hashable, Sendable {
    /// Whether a layer holds.
    public enum State: UInt8, Sendable {
        /// It holds.
        case active = 0
        /// This machine does not offer it.
        case absent = 1
        /// It was set up, and does not hold.
        case broken = 2
    }
    /// The layer's name, such as `seccomp`.
    public var name: String
    /// Whether it holds.
    public var state: State
    /// Why it does not.
    public var reason: String

    /// Creates a line.
    public init(name: String, state: State, reason: String) {
        self.name = name
        self.state = state
        self.reason = reason
    }
}

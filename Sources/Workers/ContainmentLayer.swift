internal import WorkerWire

/// One layer of a worker's containment, and whether it holds.
public struct ContainmentLayer: Hashable, Sendable {
    /// Whether a layer holds.
    public enum State: String, Sendable {
        /// It holds.
        case active
        /// This machine does not offer it.
        case absent
        /// It was set up, and does not hold.
        case broken
    }
    /// The layer's name, such as `seccomp`.
    public var name: String
    /// Whether it holds.
    public var state: State
    /// Why it does not; empty when it does.
    public var reason: String

    init(_ line: LayerLine) {
        name = line.name
        reason = line.reason
        state =
            switch line.state {
            case .active: .active
            case .absent: .absent
            case .broken: .broken
            }
    }
}

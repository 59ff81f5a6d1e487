/// What became of one layer.
public struct LayerReport: Hashable, Sendable {
    /// How a layer stands.
    public enum State: Hashable, Sendable {
        /// It is in force, and what it forbids was refused where that could be tried.
        case active
        /// The system does not offer it here; the reason is a phrase for people.
        case absent(String)
        /// It was put up, and yet something that it forbids was possible: treat the worker as uncontained.
        case broken(String)
    }

    /// Which layer.
    public let layer: Containment.Layer
    /// How it stands.
    public let state: State

    /// Creates a report.
    public init(_ layer: Containment.Layer, _ state: State) {
        self.layer = layer
        self.state = state
    }
}

extension LayerReport: CustomStringConvertible {
    /// One line without an end: `seccomp active`, `namespaces absent Operation not permitted`.
    public var description: String {
        switch state {
        case .active: "\(layer.rawValue) active"
        case .absent(let reason): "\(layer.rawValue) absent \(reason)"
        case .broken(let reason): "\(layer.rawValue) broken \(reason)"
        }
    }

    /// Parses what ``description`` made.
    /// - Returns: `nil` for anything else.
    public init?(_ line: some StringProtocol) {
        let parts = line.split(separator: " ", maxSplits: 2)
        guard parts.count >= 2, let layer = Containment.Layer(rawValue: String(parts[0])) else { return nil }
        let reason = parts.count == 3 ? String(parts[2]) : ""
        switch parts[1] {
        case "active" where reason.isEmpty: self.init(layer, .active)
        case "absent": self.init(layer, .absent(reason))
        case "broken": self.init(layer, .broken(reason))
        default: return nil
        }
    }
}

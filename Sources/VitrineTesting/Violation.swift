/// One rule of a contract that an implementation does not keep.
public struct Violation: Hashable, Sendable, CustomStringConvertible {
    /// The rule's short name, stable so that tests and programs can tell rules apart.
    public var rule: String
    /// A sentence that says what was done and what was seen instead of what the rule asks.
    public var explanation: String

    /// Creates a violation.
    /// - Parameters:
    ///   - rule: the rule's short name.
    ///   - explanation: what was done and seen.
    public init(_ rule: String, _ explanation: String) {
        self.rule = rule
        self.explanation = explanation
    }

    /// Rule and explanation on one line.
    public var description: String { "\(rule): \(explanation)" }
}

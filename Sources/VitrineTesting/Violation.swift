/// A rule of a contract that a plugin broke.
///
/// The suites of this module return these instead of failing a test, so that a test framework of any kind, or a
/// command line, can run them. Of what is awaited inside of `#expect`, Swift Testing shows nothing when it fails: keep them
/// first, `let violations = await suite.violations()`, then `#expect(violations == [])`.
public struct Violation: Hashable, Sendable {
    /// The rule, in a few words.
    public var rule: String
    /// What happened instead.
    public var explanation: String

    /// Creates a violation.
    public init(_ rule: String, _ explanation: String) {
        self.rule = rule
        self.explanation = explanation
    }
}

extension Violation: CustomStringConvertible {
    /// The rule and what happened instead.
    public var description: String { "\(rule): \(explanation)" }
}

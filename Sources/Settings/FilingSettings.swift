/// What the user set about messages of one source that are put into collections by their subjects: part of
/// `[source NAME-OR-URI]`.
public struct FilingSettings: Hashable, Sendable {
    /// A key of it.
    public enum Key: String, CaseIterable, Sendable {
        /// Addresses whose messages are filed.
        case knownSenders = "known-senders"
        /// The server whose word it takes that a sender is no other.
        case authenticatedBy = "authenticated-by"
    }

    /// Addresses; what stands behind the `@` in lower case. Nothing is filed without.
    public var knownSenders: [String]?
    /// The name by which the user's mail server signs `Authentication-Results` (RFC 8601); `nil`: senders are believed.
    public var authenticatedBy: String?

    /// Nothing is set.
    public init() {}

    /// A key's value as it is written in the file; `nil` when it is not set.
    public func text(_ key: Key) -> String? {
        switch key {
        case .knownSenders: knownSenders?.joined(separator: "; ")
        case .authenticatedBy: authenticatedBy
        }
    }
}

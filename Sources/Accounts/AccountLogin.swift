/// What is kept of somebody's log-in.
public struct AccountLogin: Sendable {
    /// What the service gave.
    public var tokens: TokenSet
    /// The program's secret; `nil` where it needs none.
    public var clientSecret: String?
}

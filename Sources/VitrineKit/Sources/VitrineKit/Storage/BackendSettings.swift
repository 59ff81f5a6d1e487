/// What the user configured for a source.
public struct BackendSettings: Sendable {
    /// Settings by name; names and meanings are the backend's own.
    public var values: [String: String]
    /// Whether links are listed and opened as what they point to. Default: no.
    public var followsLinks: Bool
    /// Whether folders on other file systems are entered. Default: no.
    public var crossesFileSystems: Bool
    /// What lets the source in, where the user logged in with OAuth 2. Default: `nil`, nobody did.
    public var accessTokens: (any AccessTokens)?

    /// Creates settings; everything is off by default.
    public init(values: [String: String] = [:], followsLinks: Bool = false, crossesFileSystems: Bool = false) {
        self.values = values
        self.followsLinks = followsLinks
        self.crossesFileSystems = crossesFileSystems
    }
}

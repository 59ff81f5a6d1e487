/// How a source is walked. What is `nil` is left to the default.
public struct SourceOptions: Hashable, Sendable {
    /// Whether names that begin with a dot are entered.
    public var hidden: Bool?
    /// Whether symbolic links are followed.
    public var followsLinks: Bool?
    /// Whether folders on other file systems are entered.
    public var crossesFileSystems: Bool?

    /// Creates options; all are left to the default.
    public init(hidden: Bool? = nil, followsLinks: Bool? = nil, crossesFileSystems: Bool? = nil) {
        self.hidden = hidden
        self.followsLinks = followsLinks
        self.crossesFileSystems = crossesFileSystems
    }
}

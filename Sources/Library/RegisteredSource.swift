public import VitrineKit

/// A source that the user pointed Vitrine at, under a name.
public struct RegisteredSource: Hashable, Sendable {
    /// What the user calls it; unique.
    public var name: String
    /// Its URI, as `SourceURI` writes it; unique.
    public var uri: String
    /// How it is walked.
    public var options: SourceOptions
    /// When it was registered.
    public var added: Timestamp

    /// Describes a source; ``Library/addSource(_:_:options:)`` registers it.
    public init(name: String, uri: String, options: SourceOptions = SourceOptions(), added: Timestamp) {
        self.name = name
        self.uri = uri
        self.options = options
        self.added = added
    }
}

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

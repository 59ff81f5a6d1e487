public import VitrineKit

/// A source that is to be watched.
public struct WatchedSource: Hashable, Sendable {
    /// Where it is.
    public var uri: SourceURI
    /// The name that it was given, by which the settings file may know it.
    public var name: String?
    /// Whether names that begin with a dot are entered. Default: as the settings say.
    public var includesHidden = false
    /// Whether symbolic links are followed.
    public var followsLinks = false
    /// Whether folders on other file systems are entered.
    public var crossesFileSystems = false

    /// Names a source.
    public init(_ uri: SourceURI, name: String? = nil) {
        self.uri = uri
        self.name = name
    }
}

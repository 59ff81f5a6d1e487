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

extension [RegisteredSource] {
    /// The source of a name; `nil` when there is none. Names that look the same are the same.
    public func named(_ name: String) -> RegisteredSource? { LibraryName.first(of: self, called: name, by: \.name) }
}

/// A renderer by its names.
public struct RendererRecord: Hashable, Sendable {
    /// Its id.
    public var name: String
    /// Its version.
    public var version: String
    /// What people call what it renders.
    public var title: String

    /// Creates a record.
    public init(name: String, version: String, title: String) {
        self.name = name
        self.version = version
        self.title = title
    }
}

/// A renderer plugin by its names.
public struct RendererName: Hashable, Sendable {
    /// Its id.
    public var id: String
    /// Its version.
    public var version: String
    /// What people call what it renders, such as "PDF documents".
    public var title: String
    /// What its workers may use, so that a failure under tighter limits is told from one under these.
    var limits = ""
}

/// A folder that is asked about.
public struct SnapshotRequest: Hashable, Sendable {
    /// The folder; ``ItemPath/root`` for the source.
    public var folder: ItemPath
    /// What the backend said of it before; `nil` when its entries are wanted in any case.
    public var known: FolderDigest?

    /// Creates a request.
    public init(folder: ItemPath, known: FolderDigest? = nil) {
        self.folder = folder
        self.known = known
    }
}

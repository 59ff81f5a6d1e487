/// What a folder holds now.
public struct FolderSnapshot: Sendable {
    /// What is said of the entries.
    public enum Content: Sendable {
        /// They are what they were.
        case unchanged
        /// All of them, as `list` tells them.
        case entries([Entry])
        /// There are too many to be held in memory at once: list them in pages.
        case tooMany
    }

    /// Taken before or while the entries were read, never after: a change that comes later makes it differ.
    public var digest: FolderDigest
    /// What is said of the entries.
    public var content: Content

    /// Creates a snapshot.
    public init(digest: FolderDigest, content: Content) {
        self.digest = digest
        self.content = content
    }
}

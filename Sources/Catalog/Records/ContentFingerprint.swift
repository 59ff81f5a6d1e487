public import VitrineKit

/// What tells the content of an item from others, together with its size.
public struct ContentFingerprint: Hashable, Sendable {
    /// A hash of the first bytes, by which candidates are found.
    public var head: UInt64
    /// A hash of the whole content, or of samples of it: `ContentHash` of the engine says which.
    public var content: FolderDigest

    /// Creates a fingerprint.
    public init(head: UInt64, content: FolderDigest) {
        self.head = head
        self.content = content
    }
}

public import VitrineKit

/// What is true of a folder once it was merged to its end.
public struct FolderFindings: Hashable, Sendable {
    /// What its backend says of it; `nil` when it has to be listed again in the next run.
    public var digest: FolderDigest?
    /// The rules that were applied, as a hash.
    public var rules: UInt64
    /// Whether it holds a file with rules of its own.
    public var hasRules: Bool
    /// How many of its entries are no items.
    public var skipped: Int

    /// Creates findings.
    public init(digest: FolderDigest?, rules: UInt64 = 0, hasRules: Bool = false, skipped: Int = 0) {
        self.digest = digest
        self.rules = rules
        self.hasRules = hasRules
        self.skipped = skipped
    }
}

/// What a look at sources found out.
public struct IndexSummary: Hashable, Sendable {
    /// Items that are new.
    public var added = 0
    /// Items whose content changed.
    public var changed = 0
    /// Items that are at another place.
    public var moved = 0
    /// Items that are not there any more.
    public var removed = 0
    /// Folders that were looked at.
    public var folders = 0
    /// Those of them in which nothing had changed.
    public var unchangedFolders = 0
    /// Folders that could not be listed to their end; nothing that is known of them was forgotten.
    public var failedFolders = 0

    /// Nothing was found yet.
    public init() {}

    /// Whether anything differs from what was known.
    public var isUnchanged: Bool { added + changed + moved + removed == 0 }

    mutating func add(_ other: IndexSummary) {
        added += other.added
        changed += other.changed
        moved += other.moved
        removed += other.removed
        folders += other.folders
        unchangedFolders += other.unchangedFolders
        failedFolders += other.failedFolders
    }
}

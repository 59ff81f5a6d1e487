/// A backend that can tell, for less than the price of a listing, that a folder did not change: an optional ability.
///
/// Without it the engine lists each folder in every run and compares the entries. With it an unchanged folder of a
/// thousand files is one comparison of 16 bytes: a file system reads the folder without making entries of it, a
/// server may have a mark for each folder.
public protocol SnapshotBackend: StorageBackend {
    /// Looks at several folders, one level each.
    /// - Parameter requests: folders, and what is known of them; at most a few hundred.
    /// - Returns: one answer for each request, in their order. A folder that cannot be listed to its end is a failure,
    ///   as it is for `list`.
    func snapshots(of requests: [SnapshotRequest]) async -> [Result<FolderSnapshot, PluginError>]
}

/// A mark of all that one level of a folder holds: the names, and for each file whatever changes with its content.
///
/// Two digests of one folder by one version of a backend are the same if nothing changed, and differ, but for a chance
/// of one in 2⁶⁴ or less, if something did. They mean nothing else.
@frozen
public struct FolderDigest: Hashable, Sendable {
    /// The first eight bytes.
    public var low: UInt64
    /// The other eight bytes.
    public var high: UInt64

    /// Creates a digest.
    public init(low: UInt64, high: UInt64) {
        self.low = low
        self.high = high
    }
}

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

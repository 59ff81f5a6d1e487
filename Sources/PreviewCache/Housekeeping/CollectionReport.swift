public import VitrineKit

/// What a piece of housekeeping did.
public struct CollectionReport: Sendable {
    /// What was deleted, or would be, by reason.
    public var removed: [RemovedEntry.Reason: CacheTally] = [:]
    /// Vitrine's entries that are left.
    public var kept = CacheTally()
    /// Entries of other programs that are left.
    public var foreign = CacheTally()
    /// Unfinished files of processes that ended, which were deleted.
    public var abandoned = 0
    /// Links in the cache's folders, which are never followed.
    public var links = 0
    /// Entries that could not be deleted.
    public var failures = 0
    /// Why the first of them could not be.
    public var firstFailure: PluginError?

    /// All that was deleted.
    public var total: CacheTally { removed.values.reduce(CacheTally(), +) }

    /// Nothing was done.
    public init() {}
}

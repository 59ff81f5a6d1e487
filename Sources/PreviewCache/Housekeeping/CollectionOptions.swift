/// What a collection shall do.
public struct CollectionOptions: Sendable {
    /// How much a collection looks at.
    public enum Scope: Sendable {
        /// Every entry, its keys and the file that it shows.
        case everything
        /// Size and age only: no file of the user is looked at.
        case quota
    }

    /// What may be kept. Default: 16 GiB and 180 days.
    public var quota: CacheQuota
    /// How much it looks at. Default: everything.
    public var scope = Scope.everything
    /// Bytes of the quota to leave free, for what will be stored next. Default: none.
    public var room: Int64 = 0
    /// Only tells what would go.
    public var isDryRun = false
    /// URIs of sources that cannot be reached now: what is there or below is not taken for deleted.
    public var absent: [String] = []

    /// Whether an entry is kept although its file is gone, by its name in the cache. Default: none is.
    public var isSpared: (@Sendable (String) -> Bool)?

    /// Creates options.
    public init(quota: CacheQuota = CacheQuota()) { self.quota = quota }
}

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

/// A number of files, and what they take.
public struct CacheTally: Hashable, Sendable {
    /// Files.
    public var count = 0
    /// The sum of their sizes in bytes.
    public var bytes: Int64 = 0
    /// What they take on the disk: whole blocks of 4 KiB each. Quotas count this.
    public var occupied: Int64 = 0

    /// Nothing.
    public init() {}

    mutating func add(_ record: EntryRecord) {
        count += 1
        bytes += Int64(record.size)
        occupied += record.occupied
    }

    /// Adds another number of files.
    public mutating func add(_ other: CacheTally) { self = self + other }

    static func + (a: CacheTally, b: CacheTally) -> CacheTally {
        var sum = a
        sum.count += b.count
        sum.bytes += b.bytes
        sum.occupied += b.occupied
        return sum
    }
}

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

/// What was asked of a storage: for reports, never for decisions.
public struct ItemTraffic: Hashable, Sendable {
    /// Calls that read a range.
    public var requests = 0
    /// Bytes that came back.
    public var bytes: Int64 = 0
    /// Time spent waiting for them.
    public var time = Duration.zero
    /// Bytes that were not asked for, since the block cache had them.
    public var cached: Int64 = 0

    /// Nothing was asked.
    public init() {}

    /// Adds up.
    public static func += (sum: inout ItemTraffic, other: ItemTraffic) {
        sum.requests += other.requests
        sum.bytes += other.bytes
        sum.time += other.time
        sum.cached += other.cached
    }
}

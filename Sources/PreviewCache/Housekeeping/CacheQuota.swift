/// How much Vitrine may keep, and for how long.
///
/// It counts what Vitrine made: its own store, its entries in the shared one, and what it remembers of failures. Each
/// file counts in whole blocks of 4 KiB; folders do not count.
public struct CacheQuota: Hashable, Sendable {
    /// Bytes; `nil`: any number. Default: 16 GiB.
    public var bytes: Int64?
    /// Seconds since an entry was last used; `nil`: for ever. Default: 180 days.
    public var age: Int64?

    /// The size that is kept unless the user says otherwise: 16 GiB.
    public static let standardBytes: Int64 = 16 << 30
    /// The age that is kept unless the user says otherwise: 180 days, as GNOME does it.
    public static let standardAge: Int64 = 180 * 86_400

    /// Creates a quota.
    public init(bytes: Int64? = standardBytes, age: Int64? = standardAge) {
        self.bytes = bytes
        self.age = age
    }
}

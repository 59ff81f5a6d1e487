/// A preview that the catalog knows of.
public struct PreviewRecord: Hashable, Sendable {
    /// The longest side in pixels.
    public var size: Int
    /// The page or moment, as keys of the cache are made of it; empty for the standard one.
    public var variant: String
    /// The first eight bytes of its name in the cache, to find out cheaply whether it is still there.
    public var key: UInt64

    /// Creates a record.
    public init(size: Int, variant: String = "", key: UInt64) {
        self.size = size
        self.variant = variant
        self.key = key
    }
}

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

public import VitrineKit

/// An item that is to be brought to another place with its source.
public struct LeavingItem: Hashable, Sendable {
    /// Its number, which it keeps.
    public var id: ItemID
    /// Where it lies in its source.
    public var path: ItemPath
    /// Where it will lie in the other one.
    public var place: ItemPath
    /// Its size, as it is known.
    public var size: Int64?
    /// When it last changed, as it is known.
    public var modified: Timestamp?
    /// The storage's mark of its version, as it is known.
    public var etag: String?
    /// The previews that it has.
    public var previews: [PreviewRecord]
}

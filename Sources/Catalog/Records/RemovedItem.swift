public import VitrineKit

/// An item that is no more, and the previews that it had.
public struct RemovedItem: Hashable, Sendable {
    /// Its number.
    public var id: ItemID
    /// Where it lay in its source.
    public var path: ItemPath
    /// The previews that were made of it.
    public var previews: [PreviewRecord]
}

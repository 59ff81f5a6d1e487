public import VitrineKit

/// An item whose content may be that of another one.
public struct Twin: Hashable, Sendable {
    /// Its number.
    public var id: ItemID
    /// The URI of its source.
    public var source: String
    /// The item that was read: another one when this one is a copy itself.
    public var origin: ItemID
    /// Where it lies, or where it lay.
    public var path: ItemPath
    /// Whether it vanished: if it is the same, it was moved.
    public var isGone: Bool
    /// When it last changed.
    public var modified: Timestamp?
    /// What tells its content from others.
    public var content: FolderDigest
    /// The type that its content has.
    public var type: String?
    /// The renderer that made its previews.
    public var renderer: RendererRecord?
    /// The previews that it has.
    public var previews: [PreviewRecord]

    /// Describes an item that is at its place.
    /// - Parameter origin: the item that was read, for a copy. Default: this one.
    public init(
        id: ItemID, origin: ItemID? = nil, source: String, path: ItemPath, modified: Timestamp?, content: FolderDigest,
        type: String?, renderer: RendererRecord?
    ) {
        self.init(
            id: id, source: source, path: path, isGone: false, modified: modified, content: content, type: type,
            renderer: renderer, previews: [])
        self.origin = origin ?? id
    }

    init(
        id: ItemID, source: String, path: ItemPath, isGone: Bool, modified: Timestamp? = nil, content: FolderDigest,
        type: String?, renderer: RendererRecord? = nil, previews: [PreviewRecord]
    ) {
        (self.id, origin) = (id, id)
        self.source = source
        self.path = path
        self.isGone = isGone
        self.modified = modified
        self.content = content
        self.type = type
        self.renderer = renderer
        self.previews = previews
    }
}

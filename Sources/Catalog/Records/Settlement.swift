public import VitrineKit

/// How the work on an item ended, to be written down.
public struct Settlement: Sendable {
    /// The item.
    public var item: ItemID
    /// Its size when it was worked on. If the catalog knows another one by now, or another time, nothing is written.
    public var size: Int64?
    /// Its time when it was worked on.
    public var modified: Timestamp?
    /// How the work ended.
    public var state: ItemState
    /// The plan under which it ended so.
    public var plan: PlanID
    /// The renderer that was asked.
    public var renderer: RendererRecord?
    /// The type that its content has.
    public var type: String?
    /// Whether renderer and type are those that a preview tells of an item that nobody opened: they count where nothing is known
    /// of it. Default: no.
    public var isGuess = false
    /// What the renderer learned.
    public var facts = Facts()
    /// Why there is no preview.
    public var failure: PluginError?
    /// The previews that were made, or found.
    public var previews: [PreviewRecord] = []
    /// Whether previews were made, rather than found.
    public var isNews = false
    /// Whether the item was moved here with its previews: whoever follows is told of the move, and knows them. Default: no.
    public var wasMoved = false
    /// Whether the text that is known of the item holds on: nobody read it again. Default: no.
    public var keepsText = false
    /// Whether the item was read, though its previews were there. Default: no.
    public var bringsText = false
    /// An item with the same content: what the renderer learned of that one is true of this one.
    public var twin: ItemID?
    /// What tells its content from others.
    public var fingerprint: ContentFingerprint?

    /// Describes an end.
    public init(
        item: ItemID, size: Int64?, modified: Timestamp?, state: ItemState, plan: PlanID,
        renderer: RendererRecord? = nil
    ) {
        self.item = item
        self.size = size
        self.modified = modified
        self.state = state
        self.plan = plan
        self.renderer = renderer
    }
}

public import VitrineKit

/// What the catalog knows of an item.
public struct ItemRecord: Hashable, Sendable {
    /// Its number.
    public let id: ItemID
    /// What its storage said of it when it was last listed.
    public var entry: Entry
    /// How the work on it ended.
    public var state: ItemState
    /// The plan under which it ended so.
    public var plan: PlanID
    /// The renderer that was asked, if any.
    public var renderer: RendererID?
}

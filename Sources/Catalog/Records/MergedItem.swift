public import VitrineKit

/// What an entry turned out to be.
public struct MergedItem: Hashable, Sendable {
    /// How it stands to what was known.
    public enum Status: Hashable, Sendable {
        /// It was known, and did not change.
        case same
        /// It is new.
        case added
        /// Its content changed.
        case changed
        /// It vanished from another place before, with these previews.
        case moved(from: RemovedItem, source: SourceID)
        /// It is new, and may be the item that was known at another place: whoever can look there decides, and calls
        /// ``Catalog/adopt(_:from:as:)`` if nothing is left there.
        case perhapsMoved(from: ItemID, path: ItemPath, source: SourceID)
    }

    /// Its number.
    public var id: ItemID
    /// How it stands to what was known.
    public var status: Status
    /// How the work on it ended, if it did not change.
    public var state: ItemState
    /// The plan under which it ended so.
    public var plan: PlanID
    /// The renderer that was asked, if any.
    public var renderer: RendererID?
}

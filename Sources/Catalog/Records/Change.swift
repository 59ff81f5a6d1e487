public import VitrineKit

/// Something that happened to an item.
public struct Change: Hashable, Sendable {
    /// What happened.
    public enum Kind: String, Sendable {
        /// It appeared.
        case added
        /// Its content changed.
        case changed
        /// It is at another place now.
        case moved
        /// It is gone.
        case removed
        /// A preview of it is ready.
        case previewed = "preview"
    }

    /// The number that the change was given.
    public var version: Int64
    /// What happened.
    public var kind: Kind
    /// The item's number.
    public var item: ItemID
    /// The URI of its source; `nil` when the source is forgotten.
    public var source: String?
    /// Where it lies now, or where it lay when it was removed.
    public var path: ItemPath
    /// Where it lay before it was moved, and the source of that place.
    public var from: (source: String?, path: ItemPath)? {
        previous.map { ($0.source, $0.path) }
    }

    struct Place: Hashable, Sendable {
        var source: String?
        var path: ItemPath
    }
    var previous: Place?
}

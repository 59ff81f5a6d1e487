public import VitrineKit

/// A named set of items of any sources.
public struct ItemCollection: Hashable, Sendable {
    /// What the user calls it; unique.
    public var name: String
    /// When it was made.
    public var created: Timestamp
    /// Whether it is a favourite.
    public var isFavorite: Bool
    /// How many items it holds.
    public var itemCount: Int
    /// How many notes belong to it, those of its items not counted.
    public var noteCount: Int
}

/// An item in a collection.
public struct CollectedItem: Hashable, Sendable {
    /// Its URI; for a copy that of the copy.
    public var uri: String
    /// What it was copied from; `nil` for an item that lies where it always did.
    public var origin: String?
    /// When it came into the collection.
    public var added: Timestamp
    /// Whether it is a favourite.
    public var isFavorite: Bool
}

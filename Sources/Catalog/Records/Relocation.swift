public import VitrineKit

/// What is known of a source, or of a folder of it, on its way to another place: see ``Catalog/relocation(of:below:keeping:to:at:)``.
///
/// It holds nothing that is not in the catalog: who is stopped on the way makes another one, and goes on with what is left.
public struct Relocation: Sendable {
    /// What it belonged to.
    public let source: SourceRecord
    /// The folder that is moved.
    let base: ItemPath
    /// What it belongs to from now on.
    public let target: SourceRecord
    /// Where the folder lies there.
    let place: ItemPath
    /// Folders that still are to be moved, each after the one that holds it.
    var left: [Int64]
    /// Those of them that lead to sources that stay.
    let passages: Set<Int64>
    /// Folders that stay, with all that is below them.
    let others: [ItemPath]

    /// The new place of what lies in the folder.
    /// - Parameter path: in the old source.
    public func place(of path: ItemPath) throws(PluginError) -> ItemPath {
        guard let below = path.below(base) else {
            throw PluginError(.invalidArgument, "'\(path)' does not lie in what is moved")
        }
        if place.isRoot || below.isRoot { return place.isRoot ? below : place }
        return try ItemPath(place.bytes + [UInt8(ascii: "/")] + below.bytes)
    }
}

/// An item whose previews have been brought to its new place.
public struct ArrivingItem: Hashable, Sendable {
    /// The item.
    public var id: ItemID
    /// The previews that it has at its new place.
    public var previews: [PreviewRecord]
    /// Whether these are all that it had; else it is to be worked on.
    public var isWhole: Bool
    /// The unchanged item as its new storage lists it, with the time that its previews have there; `nil` where they keep the
    /// one that is known.
    public var entry: Entry?

    /// Describes an item.
    public init(id: ItemID, previews: [PreviewRecord], isWhole: Bool, entry: Entry? = nil) {
        self.id = id
        self.previews = previews
        self.isWhole = isWhole
        self.entry = entry
    }
}

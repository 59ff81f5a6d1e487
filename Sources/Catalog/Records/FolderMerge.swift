/// A merge under way: a folder's listing is compared with what the catalog knows of it, page by page.
public struct FolderMerge: Sendable {
    let folder: FolderRecord
    let source: SourceID
    /// Whether the catalog knows no item and no folder in it yet.
    let isNew: Bool
    /// Whether an item that is new may be one that vanished from another place.
    var mayRevive = true
    /// Whether an item that is new may be one that is known at another place.
    var mayHaveMoved = true
    /// Whether everything in it is new, and nothing else.
    var isPlain: Bool { isNew && !mayRevive && !mayHaveMoved }
    /// Folders that are sources of their own.
    var others: Set<FolderID> = []
    /// Names of what was left out, unless nothing was known before.
    var excluded: Set<[UInt8]> = []
    var excludesOthers = false
    var seenItems: Set<Int64> = []
    var seenFolders: Set<Int64> = []

    /// Takes what a page says of names that were left out.
    mutating func exclude(_ page: FolderListing) {
        if isNew { return }
        excluded.formUnion(page.excluded)
        excludesOthers = excludesOthers || page.excludesOthers
    }

    /// Whether what has this name, and was not seen, was left out.
    func isExcluded(_ name: [UInt8]) -> Bool { excludesOthers || excluded.contains(name) }

    /// An item of a page was given this number by ``Catalog/adopt(_:from:as:)``.
    public mutating func see(_ item: ItemID) { seenItems.insert(item.rawValue) }
}

/// An item that was found at another place.
public struct Adoption: Hashable, Sendable {
    /// As it was, with its previews.
    public var was: RemovedItem
    /// As it is now: how the work on it ended is what was known at its old place.
    public var now: ItemRecord
    /// Whether its old folder had lost it before, so that it was counted among what vanished.
    public var hadVanished: Bool
}

public import VitrineKit

/// What the catalog knows of a folder.
public struct FolderRecord: Hashable, Sendable {
    /// Its number.
    public let id: FolderID
    /// Where it lies in its source.
    public let path: ItemPath
    /// What its backend said of it when it was last merged; `nil` when it has to be listed.
    public var digest: FolderDigest?
    /// The rules that decided which of its entries count, as a hash.
    public var rules: UInt64
    /// The volume that it lies on, if known.
    public var volume: UInt64?
    /// Whether it was on another volume than the folder that holds it: the root of a mounted file system.
    public var isMountPoint: Bool
    /// Whether it was the root of a mounted file system and is not now.
    public var isMountMissing: Bool
    /// Whether it is known only because another source lies below it: the source that it belongs to leaves it out.
    public var isPassage: Bool
    /// Whether it holds a file with rules of its own.
    public var hasRules: Bool
    /// How many of its entries are no items.
    public var skipped: Int
    /// The plan that all of its items were brought to; ``PlanID/none`` when one is not.
    public var plan: PlanID
}

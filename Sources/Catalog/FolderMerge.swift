import Glibc
public import VitrineKit

/// A folder as the walk found it, or a page of it.
public struct FolderListing: Sendable {
    /// A folder in it.
    public struct Subfolder: Hashable, Sendable {
        /// Its name.
        public var name: [UInt8]
        /// The volume that it lies on, if known.
        public var volume: UInt64?

        /// Describes a folder.
        public init(name: [UInt8], volume: UInt64? = nil) {
            self.name = name
            self.volume = volume
        }
    }

    /// The files in it that count as items.
    public var files: [Entry]
    /// The folders in it that are entered.
    public var folders: [Subfolder]
    /// Names of what is there and was left out because somebody said so. What is known of it is forgotten for good.
    public var excluded: Set<[UInt8]> = []
    /// Whether everything that is not listed was left out so.
    public var excludesOthers = false

    /// Creates a listing.
    public init(files: [Entry] = [], folders: [Subfolder] = [], excludesOthers: Bool = false) {
        self.files = files
        self.folders = folders
        self.excludesOthers = excludesOthers
    }

    /// The first eight bytes as a number that is in order as they are; zeros for those that are missing.
    private static func firstBytes(of name: [UInt8]) -> UInt64 {
        var number: UInt64 = 0
        for index in 0..<8 { number = number << 8 | (index < name.count ? UInt64(name[index]) : 0) }
        return number
    }

    /// Puts the files into the order of their names, byte by byte: the catalog takes them faster so, and people expect
    /// it. Of two with the same name one stays.
    public mutating func sortFiles() {
        func precedes(_ one: [UInt8], _ other: [UInt8]) -> Bool {
            let order = memcmp(one, other, min(one.count, other.count))
            return order == 0 ? one.count < other.count : order < 0
        }
        var isSorted = true
        for index in files.indices.dropFirst() where precedes(files[index].name, files[index - 1].name) {
            isSorted = false
            break
        }
        if !isSorted {
            // Entries are large: their numbers are sorted, and each entry is moved once. The first bytes of a name tell
            // most of them apart.
            let entries = files
            var order = entries.indices.map { (first: Self.firstBytes(of: entries[$0].name), index: $0) }
            order.sort {
                $0.first == $1.first
                    ? precedes(entries[$0.index].name, entries[$1.index].name) : $0.first < $1.first
            }
            files = order.map { entries[$0.index] }
        }
        // A file that is replaced while its folder is listed may come twice. Which of the two is the later one is not
        // known: the digest is another one in the next run.
        var kept = 0
        for index in files.indices where index == 0 || files[index].name != files[kept - 1].name {
            if kept != index { files[kept] = files[index] }
            kept += 1
        }
        files.removeLast(files.count - kept)
    }
}

/// What is true of a folder once it was merged to its end.
public struct FolderFindings: Hashable, Sendable {
    /// What its backend says of it; `nil` when it has to be listed again in the next run.
    public var digest: FolderDigest?
    /// The rules that were applied, as a hash.
    public var rules: UInt64
    /// Whether it holds a file with rules of its own.
    public var hasRules: Bool
    /// How many of its entries are no items.
    public var skipped: Int

    /// Creates findings.
    public init(digest: FolderDigest?, rules: UInt64 = 0, hasRules: Bool = false, skipped: Int = 0) {
        self.digest = digest
        self.rules = rules
        self.hasRules = hasRules
        self.skipped = skipped
    }
}

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

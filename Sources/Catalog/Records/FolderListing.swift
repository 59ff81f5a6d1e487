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

import Catalog
import SQLite
import TestSupport
import VitrineKit

/// A catalog in a folder of its own, and short words for what tests do with it.
struct CatalogFixture {
    let folder: TemporaryFolder
    let catalog: Catalog
    let source: SourceRecord

    init() throws {
        folder = try TemporaryFolder()
        catalog = try Catalog.open(at: folder.path + "/vitrine/catalog.sqlite", now: 1000).catalog
        source = try catalog.source("file:///data")
    }

    static func file(_ name: String, size: Int64 = 10, seconds: Int64 = 5, inode: UInt64? = nil) -> Entry {
        var entry = Entry(
            name: Array(name.utf8), kind: .file, size: size, modified: Timestamp(seconds: seconds, nanoseconds: 7))
        entry.identifier = inode
        return entry
    }

    /// Merges a folder as it was listed as a whole.
    @discardableResult
    func merge(
        _ files: [Entry], at path: String = "", folders: [String] = [], excluded: [String] = [],
        excludesOthers: Bool = false, digest: UInt64 = 1, now: Int64 = 2000, told: (ItemPath) -> Void = { _ in }
    ) throws -> Catalog.MergedFolder {
        let record = try catalog.folder(try ItemPath(path), in: source)
        var listing = FolderListing(
            files: files, folders: folders.map { .init(name: Array($0.utf8)) }, excludesOthers: excludesOthers)
        listing.excluded = Set(excluded.map { Array($0.utf8) })
        let whole = Catalog.WholeFolder(
            folder: record, listing: listing, findings: FolderFindings(digest: FolderDigest(low: digest, high: 0)))
        return try catalog.merge([whole], of: source.id, now: now, told: told)[0]
    }

    /// Writes down that a preview of an item was made.
    func made(_ item: MergedItem, _ entry: Entry, plan: PlanID, key: UInt64 = 1, content: UInt64? = nil) throws {
        var settlement = Settlement(
            item: item.id, size: entry.size, modified: entry.modified, state: .made, plan: plan,
            renderer: RendererRecord(name: "pdf", version: "1.0.0", title: "PDF documents"))
        settlement.type = "application/pdf"
        settlement.previews = [PreviewRecord(size: 256, key: key)]
        settlement.isNews = true
        settlement.fingerprint = content.map {
            ContentFingerprint(head: 77, content: FolderDigest(low: $0, high: $0))
        }
        try catalog.settle([settlement])
    }

    /// What happened since a version, as words.
    func changes(since version: Int64) throws -> [String] {
        guard case .increment(let changes, _, _) = try catalog.changes(since: version) else { return ["whole"] }
        return changes.map { change in
            "\(change.kind.rawValue) \(change.path)" + (change.from.map { " from \($0.path)" } ?? "")
        }
    }

    /// What makes a catalog of version 5 one of version 4.
    static let toVersion4 = """
        DROP TRIGGER inode_left; DROP TRIGGER inode_changed; DROP TABLE numbered;
        ALTER TABLE named DROP COLUMN inodes; ALTER TABLE change DROP COLUMN more;
        CREATE INDEX item_inode ON item(inode) WHERE inode IS NOT NULL; PRAGMA user_version = 4;
        """

    /// How many texts of documents it keeps.
    func texts() throws -> Int64? {
        try Database(catalog.path).first("SELECT count(*) FROM document") { $0.integer(0) }
    }
}

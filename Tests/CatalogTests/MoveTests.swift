import Catalog
import SQLite
import Testing
import VitrineKit

@Suite("An item that moved")
struct MoveTests {
    private let fixture: CatalogFixture
    private let plan: PlanID

    init() throws {
        fixture = try CatalogFixture()
        plan = try fixture.catalog.plan(FolderDigest(low: 1, high: 1))
    }

    @Test("is known by its inode when it left its old place first, with its past")
    func vanishedFirst() throws {
        let entry = CatalogFixture.file("old", inode: 9)
        let item = try fixture.merge([entry], folders: ["sub"]).items[0]
        try fixture.made(item, entry, plan: plan, key: 42)
        let version = try fixture.catalog.version
        try fixture.merge([], folders: ["sub"], digest: 2)
        let moved = try fixture.merge([CatalogFixture.file("new", inode: 9)], at: "sub").items[0]
        #expect(moved.id == item.id)
        #expect(moved.state == .made)
        #expect(moved.plan == plan)
        guard case .moved(let was, let source) = moved.status else {
            Issue.record("it is \(moved.status)")
            return
        }
        #expect(was.path.description == "old")
        #expect(was.previews == [PreviewRecord(size: 256, key: 42)])
        #expect(source == fixture.source.id)
        // Who did not hear that it was gone need not, now that it is known where it is.
        #expect(try fixture.changes(since: version) == ["moved sub/new from old"])
    }

    @Test("is known by its inode when its new place is seen first, once its old one was looked at")
    func appearedFirst() throws {
        let entry = CatalogFixture.file("old", inode: 9)
        let item = try fixture.merge([entry], folders: ["sub"]).items[0]
        try fixture.made(item, entry, plan: plan)
        // Before a source was seen whole, a known inode is that of a hard link.
        try fixture.catalog.note(.complete, of: fixture.source.id, now: 1)
        let new = try fixture.merge([CatalogFixture.file("new", inode: 9)], at: "sub").items[0]
        guard case .perhapsMoved(let old, let path, _) = new.status else {
            Issue.record("it is \(new.status)")
            return
        }
        #expect(old == item.id)
        #expect(path.description == "old")
        let adopted = try #require(try fixture.catalog.adopt(old, from: path, as: new.id))
        #expect(adopted.was.path.description == "old")
        #expect(adopted.now.id == item.id)
        #expect(adopted.now.state == .made)
        #expect(try fixture.merge([], folders: ["sub"], digest: 2).vanished == 0)
    }

    @Test("within its folder is known at once, and nothing is told to be removed")
    func renamed() throws {
        let entry = CatalogFixture.file("old", inode: 9)
        let item = try fixture.merge([entry]).items[0]
        try fixture.made(item, entry, plan: plan, key: 42)
        try fixture.catalog.note(.complete, of: fixture.source.id, now: 2000)
        let version = try fixture.catalog.version
        var told: [ItemPath] = []
        let merged = try fixture.merge([CatalogFixture.file("new", inode: 9)], digest: 2) { told.append($0) }
        guard case .moved(let was, fixture.source.id) = merged.items[0].status else {
            Issue.record("it is \(merged.items[0].status)")
            return
        }
        #expect(merged.items[0].id == item.id && merged.items[0].state == .made)
        #expect(was.path.description == "old" && was.previews == [PreviewRecord(size: 256, key: 42)])
        #expect(told.isEmpty)
        #expect(try fixture.catalog.vanishedCount == 0)
        #expect(try fixture.changes(since: version).contains("moved new from old"))
        // A second name of a file is none of these.
        let both = try fixture.merge(
            [CatalogFixture.file("link", inode: 9), CatalogFixture.file("new", inode: 9)], digest: 3)
        #expect(both.items[1].id == item.id && both.items[1].status == .same)
        #expect(both.items[0].id != item.id)
    }

    @Test("between two folders that are merged at once is known by its inode, whichever of them comes first")
    func together() throws {
        let entry = CatalogFixture.file("old", inode: 9)
        let item = try fixture.merge([entry], at: "a").items[0]
        try fixture.merge([], at: "b")
        try fixture.made(item, entry, plan: plan, key: 42)
        try fixture.catalog.note(.complete, of: fixture.source.id, now: 2000)
        let version = try fixture.catalog.version
        let merged = try together(("b", "new"), ("a", nil))
        #expect(merged[1].vanished == 1)
        guard case .perhapsMoved(let old, let path, _) = merged[0].items[0].status else {
            Issue.record("it is \(merged[0].items[0].status)")
            return
        }
        let adopted = try #require(try fixture.catalog.adopt(old, from: path, as: merged[0].items[0].id))
        #expect(adopted.hadVanished)
        #expect(adopted.now.id == item.id && adopted.now.state == .made && adopted.now.plan == plan)
        #expect(adopted.was.path.description == "a/old" && adopted.was.previews.map(\.key) == [42])
        #expect(try fixture.changes(since: version) == ["moved b/new from a/old"])
        let back = try together(("b", nil), ("a", "last"))
        guard case .moved(let was, _) = back[1].items[0].status else {
            Issue.record("it is \(back[1].items[0].status)")
            return
        }
        #expect(back[1].items[0].id == item.id && was.path.description == "b/new")
        #expect(try fixture.catalog.vanishedCount == 0)
    }

    /// Merges folders at once, each with at most one file.
    private func together(_ folders: (path: String, file: String?)...) throws -> [Catalog.MergedFolder] {
        let whole = try folders.map { path, file in
            Catalog.WholeFolder(
                folder: try fixture.catalog.folder(ItemPath(path), in: fixture.source),
                listing: FolderListing(files: file.map { [CatalogFixture.file($0, inode: 9)] } ?? []),
                findings: FolderFindings(digest: nil))
        }
        return try fixture.catalog.merge(whole, of: fixture.source.id, now: 2000)
    }

    @Test("is at its new place, and at no other")
    func place() throws {
        try fixture.merge([CatalogFixture.file("old", inode: 9)], folders: ["sub"])
        try fixture.merge([], folders: ["sub"], digest: 2)
        try fixture.merge([CatalogFixture.file("new", inode: 9)], at: "sub")
        for (path, isThere) in [("old", false), ("sub/new", true), ("sub/old", false), ("none/new", false)] {
            #expect(try fixture.catalog.holds(ItemPath(path), in: fixture.source) == isThere)
        }
    }

    @Test("to two places, as two names of one file, is at one of them, and the other is new")
    func twoNames() throws {
        try fixture.merge([CatalogFixture.file("old", inode: 9)])
        try fixture.catalog.note(.complete, of: fixture.source.id, now: 2000)
        let two = [CatalogFixture.file("m", inode: 9), CatalogFixture.file("n", inode: 9)]
        let merged = try fixture.merge(two, at: "sub")
        var adopted = 0
        for item in merged.items {
            guard case .perhapsMoved(let old, let path, _) = item.status else { continue }
            adopted += try fixture.catalog.adopt(old, from: path, as: item.id) == nil ? 0 : 1
        }
        #expect(adopted == 1)
        let folder = try fixture.catalog.folder(ItemPath("sub"), in: fixture.source)
        #expect(try fixture.catalog.items(in: folder.id).map(\.entry.name) == two.map(\.name))
    }

    @Test("and was removed then is told as removed from where it lay first")
    func movedAndRemoved() throws {
        try fixture.merge([CatalogFixture.file("old", inode: 9)])
        let version = try fixture.catalog.version
        try fixture.merge([], digest: 2)
        try fixture.merge([CatalogFixture.file("new", inode: 9)], digest: 3)
        let between = try fixture.catalog.version
        try fixture.merge([CatalogFixture.file("last", inode: 9)], digest: 4)
        try fixture.merge([], digest: 5)
        #expect(try fixture.changes(since: version).contains("removed old"))
        #expect(try fixture.changes(since: between).contains("removed new"))
    }

    @Test("is to be worked on until its previews have followed")
    func unsettled() throws {
        let entry = CatalogFixture.file("old", inode: 9)
        let item = try fixture.merge([entry]).items[0]
        try fixture.made(item, entry, plan: plan)
        try fixture.merge([], digest: 2)
        let new = CatalogFixture.file("new", inode: 9)
        let moved = try fixture.merge([new], digest: 3).items[0]
        #expect(moved.state == .made)
        let folder = try fixture.catalog.folder(.root, in: fixture.source)
        #expect(try fixture.catalog.items(in: folder.id).map(\.state) == [.pending])
        try fixture.made(moved, new, plan: plan)
        #expect(try fixture.catalog.items(in: folder.id).map(\.state) == [.made])
    }

    @Test("that comes back without its previews, which were deleted meanwhile, is to be worked on")
    func lostMeanwhile() throws {
        let entry = CatalogFixture.file("a", inode: 9)
        let item = try fixture.merge([entry]).items[0]
        try fixture.made(item, entry, plan: plan)
        try fixture.merge([], digest: 2)
        #expect(try fixture.catalog.forgetPreviews(size: 256) { _ in false } == 1)
        let back = try fixture.merge([entry], digest: 3).items[0]
        #expect(back.id == item.id && back.state == .pending)
    }

    @Test("that comes back and had failed before is tried again")
    func failed() throws {
        let entry = CatalogFixture.file("a", inode: 9)
        let item = try fixture.merge([entry]).items[0]
        var end = Settlement(
            item: item.id, size: entry.size, modified: entry.modified, state: .failed, plan: plan, renderer: nil)
        end.failure = PluginError(.corrupt, "it is damaged")
        try fixture.catalog.settle([end])
        #expect(try fixture.merge([entry]).items[0].state == .failed)
        try fixture.merge([], digest: 2)
        let back = try fixture.merge([entry], digest: 3).items[0]
        #expect(back.id == item.id && back.state == .pending)
    }

    @Test("to a folder that is merged page by page is not taken for gone at its end")
    func paged() throws {
        let entry = CatalogFixture.file("old", inode: 9)
        let item = try fixture.merge([entry], folders: ["sub"]).items[0]
        try fixture.catalog.note(.complete, of: fixture.source.id, now: 2000)
        let folder = try fixture.catalog.folder(ItemPath("sub"), in: fixture.source)
        var merge = try fixture.catalog.beginMerge(of: folder, source: fixture.source.id)
        let new = try fixture.catalog.take(FolderListing(files: [CatalogFixture.file("new", inode: 9)]), &merge)[0]
        let adopted = try #require(try fixture.catalog.adopt(item.id, from: ItemPath("old"), as: new.id))
        merge.see(adopted.now.id)
        #expect(try fixture.catalog.finish(merge, FolderFindings(digest: nil), now: 2000) == 0)
        #expect(try fixture.catalog.items(in: folder.id).map(\.id) == [item.id])
    }

    @Test("of another size or time than the inode had is a new one")
    func reusedInode() throws {
        try fixture.merge([CatalogFixture.file("old", inode: 9)])
        try fixture.merge([], digest: 2)
        let other = try fixture.merge([CatalogFixture.file("new", size: 11, inode: 9)], digest: 3)
        #expect(other.items.map(\.status) == [.added])
    }

    @Test("is found by its content when the inode says nothing")
    func content() throws {
        let entry = CatalogFixture.file("old")
        let item = try fixture.merge([entry]).items[0]
        try fixture.made(item, entry, plan: plan, content: 5)
        let copy = CatalogFixture.file("copy", seconds: 6)
        let other = try fixture.merge([entry, copy], digest: 2).items[1]
        let twin = try #require(try fixture.catalog.twins(size: 10, head: 77, besides: other.id).first)
        #expect(!twin.isGone)
        #expect(twin.path.description == "old")
        #expect(twin.content == FolderDigest(low: 5, high: 5))
        #expect(twin.type == "application/pdf")
        try fixture.merge([copy], digest: 3)
        let gone = try #require(try fixture.catalog.twins(size: 10, head: 77, besides: other.id).first)
        #expect(gone.isGone)
        let version = try fixture.catalog.version
        #expect(try fixture.catalog.adopt(gone: gone.id, as: other.id))
        #expect(try fixture.changes(since: version) == ["moved copy from old"])
        #expect(try fixture.catalog.twins(size: 10, head: 77, besides: other.id).isEmpty)
    }

    @Test("leaves its number to nobody else")
    func numbers() throws {
        let entry = CatalogFixture.file("old")
        let item = try fixture.merge([entry]).items[0]
        try fixture.made(item, entry, plan: plan)
        try fixture.merge([], digest: 2)
        let other = try fixture.merge([CatalogFixture.file("other", size: 99)], digest: 3).items[0]
        #expect(other.id != item.id)
    }

    @Test("or vanished keeps its previews until its grace time is over, and then unless it is there again")
    func grace() throws {
        let entries = ["a", "b"].map { CatalogFixture.file($0) }
        let items = try fixture.merge(entries).items
        for (item, entry) in zip(items, entries) { try fixture.made(item, entry, plan: plan) }
        try fixture.merge([], digest: 2, now: 5000)
        // Without an inode nobody knows that it is the same file.
        try fixture.merge([entries[0]], digest: 3, now: 6000)
        #expect(try fixture.catalog.vanishedCount == 2)
        var told: [String] = []
        #expect(try fixture.catalog.takeVanished(before: 5000) { _, items in told += items.map { "\($0.path)" } } == 0)
        #expect(try fixture.catalog.takeVanished(before: 5001) { _, items in told += items.map { "\($0.path)" } } == 1)
        #expect(told == ["b"])
        #expect(try fixture.catalog.vanishedCount == 0)
    }

    @Test("away with a huge tree lets others have the catalog in between, and is gone on with when it is stopped")
    func hugeTree() throws {
        let names = (0..<3000).map { CatalogFixture.file("\($0)") }
        try fixture.merge([CatalogFixture.file("stays")], folders: ["a"])
        try fixture.merge(names, at: "a", folders: ["b"])
        try fixture.merge(names, at: "a/b")
        let reader = try Database(fixture.catalog.path, access: .readOnly)
        var (seen, told): (Set<Int64>, Int) = ([], 0)
        let merged = try fixture.merge([CatalogFixture.file("stays")], digest: 2) { _ in
            told += 1
            guard told % 500 == 0 else { return }
            let count = try? reader.first("SELECT count(*) FROM gone") { $0.integer(0) }
            seen.insert(count.flatMap { $0 } ?? -1)
        }
        #expect(merged.vanished == 6000 && told == 6000)
        // What others see meanwhile, in steps that are bounded.
        let steps = [0] + seen.union([6000]).sorted()
        #expect(zip(steps.dropFirst(), steps).allSatisfy { $0 - $1 <= 2000 }, "\(steps)")
        #expect(try fixture.catalog.vanishedCount == 6000 && fixture.catalog.check().isEmpty)
        #expect(try fixture.catalog.counts(of: fixture.source.id) == [.pending: 1])
        #expect(try fixture.catalog.folder(.root, in: fixture.source).digest == FolderDigest(low: 2, high: 0))
    }

    @Test("is found among those that vanished by its source and its age")
    func ageIndex() throws {
        let database = try Database(fixture.catalog.path)
        let plan = try database.rows(
            "EXPLAIN QUERY PLAN SELECT id, path FROM gone WHERE source = 1 AND since < 5 LIMIT 500"
        ) { $0.text(3) }
        #expect(plan == ["SEARCH gone USING INDEX gone_age (source=? AND since<?)"])
    }
}

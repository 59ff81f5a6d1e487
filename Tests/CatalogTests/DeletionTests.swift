import Catalog
import Testing
import VitrineKit

@Suite("An item that was seen to be deleted")
struct DeletionTests {
    private let fixture: CatalogFixture
    private let plan: PlanID

    init() throws {
        fixture = try CatalogFixture()
        plan = try fixture.catalog.plan(FolderDigest(low: 1, high: 1))
    }

    @Test("is taken with its previews, and others that vanished stay")
    func taken() throws {
        let entries = ["a", "b", "c"].enumerated().map { CatalogFixture.file($1, inode: UInt64($0 + 1)) }
        for (item, entry) in zip(try fixture.merge(entries).items, entries) {
            try fixture.made(item, entry, plan: plan, key: 40)
        }
        try fixture.merge([entries[2]], digest: 2, now: 3000)
        let taken = try fixture.catalog.takeVanished([ItemPath("a"), ItemPath("c")], of: fixture.source, since: 3000)
        #expect(taken.map(\.path.description) == ["a"])
        #expect(taken.first?.previews == [PreviewRecord(size: 256, key: 40)])
        #expect(try fixture.catalog.vanishedCount == 1)
        #expect(try fixture.catalog.takeVanished([ItemPath("b")], of: fixture.source, since: 3001).isEmpty)
        #expect(try fixture.catalog.takeVanished([ItemPath("b")], of: fixture.source, since: 3000).count == 1)
    }

    @Test("keeps its previews when it was found at another place meanwhile")
    func moved() throws {
        let entry = CatalogFixture.file("a", inode: 1)
        try fixture.made(try fixture.merge([entry], folders: ["sub"]).items[0], entry, plan: plan)
        try fixture.merge([], folders: ["sub"], digest: 2, now: 3000)
        let moved = try fixture.merge([CatalogFixture.file("a", inode: 1)], at: "sub", now: 3000).items[0]
        #expect(try fixture.catalog.takeVanished([ItemPath("a")], of: fixture.source, since: 0).isEmpty)
        // Until these have followed it, it counts as one to be worked on.
        #expect(moved.state == .made)
        #expect(try fixture.catalog.counts(of: fixture.source.id) == [.pending: 1])
    }

    @Test("is not told when something has its place again: that one's preview has the same name")
    func replaced() throws {
        let entry = CatalogFixture.file("a", inode: 1)
        try fixture.made(try fixture.merge([entry]).items[0], entry, plan: plan)
        try fixture.merge([], digest: 2, now: 3000)
        try fixture.merge([CatalogFixture.file("a", seconds: 9, inode: 2)], digest: 3, now: 3000)
        #expect(try fixture.catalog.takeVanished([ItemPath("a")], of: fixture.source, since: 0).isEmpty)
        #expect(try fixture.catalog.vanishedCount == 0)
    }

    @Test("a folder is known by its name in another one, and nothing is made by asking")
    func folders() throws {
        try fixture.merge([], folders: ["sub"])
        let root = try fixture.catalog.folder(.root, in: fixture.source)
        let sub = try #require(try fixture.catalog.knownFolder(Array("sub".utf8), in: root))
        #expect(sub.path == (try ItemPath("sub")))
        #expect(sub == (try fixture.catalog.folder(try ItemPath("sub"), in: fixture.source)))
        #expect(try fixture.catalog.knownFolder(Array("other".utf8), in: root) == nil)
        #expect(try fixture.catalog.folders(in: root).count == 1)
    }

    @Test("has no grace time when it was left out: its text and previews are taken at once")
    func excluded() throws {
        let entries = ["a", "b"].map { CatalogFixture.file($0) }
        let inner = CatalogFixture.file("c")
        let items = try fixture.merge(entries, folders: ["sub"]).items + fixture.merge([inner], at: "sub").items
        for (item, entry) in zip(items, entries + [inner]) {
            var settlement = Settlement(
                item: item.id, size: entry.size, modified: entry.modified, state: .made, plan: plan, renderer: nil)
            settlement.facts.text = "secret"
            settlement.previews = [PreviewRecord(size: 256, key: 1)]
            settlement.isNews = true
            try fixture.catalog.settle([settlement])
        }
        #expect(try fixture.texts() == 3)
        // What is gone without a word of that waits.
        try fixture.merge([], excluded: ["a", "sub"], digest: 2, now: 3000)
        var taken: [String] = []
        #expect(try fixture.catalog.takeVanished(before: 1) { taken += $1.map(\.path.description) } == 2)
        #expect(taken.sorted() == ["a", "sub/c"])
        #expect(try fixture.texts() == 1)
        #expect(try fixture.catalog.vanishedCount == 1)
    }

    @Test("has no grace time when its whole folder is passed over")
    func passedOver() throws {
        try fixture.merge([CatalogFixture.file("a")])
        try fixture.merge([], excludesOthers: true, digest: 2, now: 3000)
        #expect(try fixture.catalog.takeVanished(before: 1) { _, _ in } == 1)
    }

    @Test("is at its place again, as a new one, when it is left out no more")
    func included() throws {
        let entry = CatalogFixture.file("a", inode: 1)
        try fixture.made(try fixture.merge([entry]).items[0], entry, plan: plan)
        try fixture.merge([], excluded: ["a"], digest: 2, now: 3000)
        _ = try fixture.catalog.takeVanished(before: 1) { _, _ in }
        let again = try fixture.merge([entry], digest: 3, now: 3000).items[0]
        #expect(again.status == .added && again.state == .pending)
    }
}

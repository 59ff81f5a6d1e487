import Catalog
import Testing
import VitrineKit

@Suite("Writing down how work ended")
struct SettleTests {
    private let fixture: CatalogFixture
    private let plan: PlanID

    init() throws {
        fixture = try CatalogFixture()
        plan = try fixture.catalog.plan(FolderDigest(low: 1, high: 1))
    }

    private func root() throws -> FolderRecord { try fixture.catalog.folder(.root, in: fixture.source) }

    @Test("settles a folder once all of its items are, with its tally, until something changes")
    func folder() throws {
        let entries = ["a", "b", "c"].map { CatalogFixture.file($0) }
        let items = try fixture.merge(entries).items
        try fixture.made(items[0], entries[0], plan: plan)
        try fixture.made(items[1], entries[1], plan: plan)
        try fixture.catalog.settle(folders: [root().id], plan: plan)
        #expect(try root().plan == .none)

        var failed = Settlement(
            item: items[2].id, size: 10, modified: entries[2].modified, state: .failed, plan: plan,
            renderer: RendererRecord(name: "pdf", version: "1.0.0", title: "PDF documents"))
        failed.failure = PluginError(.corrupt, "it is broken")
        try fixture.catalog.settle([failed])
        try fixture.catalog.settle(folders: [root().id], plan: plan)
        #expect(try root().plan == plan)
        let title = "PDF documents"
        #expect(
            try Set(fixture.catalog.tallies(of: root().id)) == [
                Tally(title: title, state: .made, count: 2), Tally(title: title, state: .failed, count: 1),
            ])
        let failures = try fixture.catalog.failures(in: root())
        #expect(failures.map(\.path.description) == ["c"])
        #expect(failures.map(\.error) == [PluginError(.corrupt, "it is broken")])

        try fixture.merge([entries[0]], digest: 2)
        #expect(try root().plan == .none)
    }

    @Test("knows which items nobody has opened, and keeps the text of one that was opened for that alone")
    func unread() throws {
        var entry = CatalogFixture.file("a")
        let item = try fixture.merge([entry]).items[0]
        #expect(try fixture.catalog.isUnread(item.id))
        var end = Settlement(item: item.id, size: entry.size, modified: entry.modified, state: .made, plan: .none)
        end.facts.text = "words"
        try fixture.catalog.settle([end])
        // Its preview was found, and it is to be looked at again.
        #expect(try fixture.catalog.isUnread(item.id) && fixture.texts() == 0)
        try fixture.catalog.settle(folders: [root().id], plan: plan)
        #expect(try root().plan == .none)
        (end.plan, end.type, end.bringsText) = (plan, "text/plain", true)
        try fixture.catalog.settle([end])
        #expect(try !fixture.catalog.isUnread(item.id) && fixture.texts() == 1)
        try fixture.catalog.settle(folders: [root().id], plan: plan)
        #expect(try root().plan == plan)
        // It is another one when it changes.
        entry.size = 11
        try fixture.merge([entry], digest: 2)
        #expect(try fixture.catalog.isUnread(item.id) && fixture.texts() == 0)
    }

    @Test("tells of a preview that was there before its item was known, and not of one that moved along")
    func found() throws {
        let entries = ["a", "b"].map { CatalogFixture.file($0) }
        let items = try fixture.merge(entries).items
        let version = try fixture.catalog.version
        for (item, entry) in zip(items, entries) {
            var end = Settlement(item: item.id, size: entry.size, modified: entry.modified, state: .made, plan: plan)
            end.wasMoved = entry.name == entries[1].name
            try fixture.catalog.settle([end])
            // Once: it is known then.
            try fixture.catalog.settle([end])
        }
        #expect(try fixture.changes(since: version) == ["\(Change.Kind.previewed.rawValue) a"])
    }

    @Test("says which names it knows in a folder")
    func names() throws {
        try fixture.merge([CatalogFixture.file("a")])
        let folder = try root().id
        #expect(try fixture.catalog.holdsAny(of: ["x", "a"].map { Array($0.utf8) }, in: folder))
        #expect(try !fixture.catalog.holdsAny(of: [Array("x".utf8)], in: folder))
    }

    @Test("writes nothing about an item that changed meanwhile")
    func stale() throws {
        let entry = CatalogFixture.file("a")
        let item = try fixture.merge([entry]).items[0]
        try fixture.merge([CatalogFixture.file("a", size: 99)], digest: 2)
        try fixture.made(item, entry, plan: plan)
        #expect(try fixture.catalog.items(in: root().id).map(\.state) == [.pending])
    }

    @Test("forgets previews that are not in the cache any more, and what followed from them")
    func lost() throws {
        let entries = ["a", "b"].map { CatalogFixture.file($0) }
        let items = try fixture.merge(entries).items
        for (number, (item, entry)) in zip(items, entries).enumerated() {
            try fixture.made(item, entry, plan: plan, key: .max - UInt64(number))
        }
        try fixture.catalog.settle(folders: [root().id], plan: plan)
        #expect(try fixture.catalog.forgetPreviews(size: 128) { _ in false } == 0)
        #expect(try fixture.catalog.forgetPreviews(size: 256) { $0 == .max } == 1)
        #expect(try fixture.catalog.items(in: root().id).map(\.state) == [.made, .pending])
        #expect(try root().plan == .none)
    }

    @Test("counts by state, and forgets a source with all that belongs to it")
    func sources() throws {
        let entries = ["a", "b"].map { CatalogFixture.file($0) }
        let items = try fixture.merge(entries).items
        try fixture.made(items[0], entries[0], plan: plan, key: 8)
        #expect(try fixture.catalog.counts(of: fixture.source.id) == [.made: 1, .pending: 1])
        var removed: [RemovedItem] = []
        let version = try fixture.catalog.version
        try fixture.catalog.forget(fixture.source) { removed += $0 }
        #expect(removed.map(\.path.description) == ["a", "b"])
        #expect(removed.first?.previews == [PreviewRecord(size: 256, key: 8)])
        #expect(try fixture.catalog.sources().isEmpty)
        #expect(try fixture.changes(since: version) == ["removed a", "removed b"])
    }
}

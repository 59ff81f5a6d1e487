import Catalog
import Testing
import VitrineKit

@Suite("A source that is moved")
struct RelocationTests {
    private let fixture: CatalogFixture
    private let plan: PlanID

    init() throws {
        fixture = try CatalogFixture()
        plan = try fixture.catalog.plan(FolderDigest(low: 1, high: 1))
    }

    /// Moves all that is left, or so many parts of it. Previews get the keys that they had, and a hundred.
    /// - Returns: how many items were moved.
    @discardableResult
    private func move(
        _ source: SourceRecord, below base: String = "", keeping others: [String] = [], to target: SourceRecord,
        at place: String = "", parts: Int = .max
    ) throws -> Int {
        let started = try fixture.catalog.relocation(
            of: source, below: ItemPath(base), keeping: try others.map { try ItemPath($0) }, to: target,
            at: ItemPath(place))
        var relocation = try #require(started)
        var count = 0
        for _ in 0..<parts {
            let items = try fixture.catalog.nextItems(of: relocation)
            if items.isEmpty {
                try fixture.catalog.end(relocation)
                break
            }
            count += items.count
            try fixture.catalog.move(
                items.map { item in
                    let previews = item.previews.map { PreviewRecord(size: $0.size, key: $0.key + 100) }
                    return ArrivingItem(id: item.id, previews: previews, isWhole: true)
                }, &relocation)
        }
        return count
    }

    @Test("takes its items along with their numbers, ends and previews, and every move is told")
    func whole() throws {
        let entry = CatalogFixture.file("a", inode: 9)
        let item = try fixture.merge([entry], at: "x/y").items[0]
        try fixture.merge([CatalogFixture.file("b")], folders: ["x"])
        try fixture.made(item, entry, plan: plan, key: 42)
        let version = try fixture.catalog.version
        let target = try fixture.catalog.source("file:///new")
        #expect(try move(fixture.source, to: target) == 2)
        #expect(try fixture.catalog.sources().map(\.uri) == ["file:///new"])
        let folder = try fixture.catalog.folder(ItemPath("x/y"), in: target)
        let found = try #require(try fixture.catalog.items(in: folder.id).first)
        #expect(found.id == item.id && found.state == .made && found.plan == plan && found.entry == entry)
        #expect(try fixture.catalog.previews(of: item.id) == [PreviewRecord(size: 256, key: 142)])
        // What is there now is for the next run to find out.
        #expect(folder.digest == nil && !folder.isPassage)
        guard case .increment(let changes, _, _) = try fixture.catalog.changes(since: version) else {
            Issue.record("the changes are not told")
            return
        }
        #expect(changes.map(\.kind) == [.moved, .moved])
        #expect(changes.allSatisfy { $0.source == "file:///new" && $0.from?.source == "file:///data" })
        #expect(Set(changes.map(\.path.description)) == ["x/y/a", "b"])
        #expect(changes.allSatisfy { $0.path == $0.from?.path })
        #expect(try fixture.catalog.check().isEmpty)
    }

    @Test("and is stopped on the way is gone on with")
    func stopped() throws {
        for number in 0..<3 {
            try fixture.merge((0..<150).map { CatalogFixture.file("\($0)") }, at: "folder \(number)")
        }
        let version = try fixture.catalog.version
        let target = try fixture.catalog.source("file:///new")
        let first = try move(fixture.source, to: target, parts: 1)
        #expect(first > 0 && first < 450)
        let both = try fixture.catalog.counts(of: fixture.source.id).values.reduce(0, +)
        #expect(both == 450 - first)
        #expect(try move(fixture.source, to: target) == 450 - first)
        #expect(try fixture.catalog.counts(of: target.id).values.reduce(0, +) == 450)
        #expect(Set(try fixture.changes(since: version)).count == 450)
        #expect(try fixture.catalog.sources() == [target])
    }

    @Test("to a place where a run has been has its own items there, and no other one")
    func known() throws {
        let entry = CatalogFixture.file("a")
        let item = try fixture.merge([entry], at: "x").items[0]
        try fixture.made(item, entry, plan: plan)
        let target = try fixture.catalog.source("file:///new")
        let folder = try fixture.catalog.folder(ItemPath("x"), in: target)
        let listing = FolderListing(files: [entry, CatalogFixture.file("b")])
        let whole = Catalog.WholeFolder(
            folder: folder, listing: listing, findings: FolderFindings(digest: FolderDigest(low: 3, high: 3)))
        _ = try fixture.catalog.merge([whole], of: target.id, now: 2000)
        try move(fixture.source, to: target)
        let items = try fixture.catalog.items(in: folder.id)
        #expect(items.map(\.entry.name) == [Array("a".utf8), Array("b".utf8)])
        #expect(items[0].id == item.id && items[0].state == .made)
        #expect(try fixture.catalog.folder(ItemPath("x"), in: target).digest == nil)
        #expect(try fixture.catalog.check().isEmpty)
    }

    @Test("within a larger one leaves it, and what is a source of its own, where they are")
    func part() throws {
        try fixture.merge([CatalogFixture.file("a")], at: "old")
        try fixture.merge([CatalogFixture.file("b")], at: "old/inner")
        try fixture.merge([CatalogFixture.file("c")], folders: ["old"])
        try fixture.catalog.note(.partial, reason: "why", at: "file:///data/old", now: 7)
        #expect(
            try move(fixture.source, below: "old", keeping: ["old/inner"], to: fixture.source, at: "new/place") == 1)
        let root = try fixture.catalog.folder(.root, in: fixture.source)
        #expect(root.digest == nil)
        #expect(try fixture.catalog.items(in: root.id).count == 1)
        let inner = try fixture.catalog.folder(ItemPath("old/inner"), in: fixture.source)
        #expect(try fixture.catalog.items(in: inner.id).count == 1)
        #expect(try fixture.catalog.folder(ItemPath("old"), in: fixture.source).isPassage)
        let place = try fixture.catalog.folder(ItemPath("new/place"), in: fixture.source)
        #expect(try fixture.catalog.items(in: place.id).count == 1)
        try fixture.catalog.moveLook(from: "file:///data/old", to: "file:///data/new/place", now: 9)
        #expect(try fixture.catalog.look(at: "file:///data/old") == nil)
        let look = try #require(try fixture.catalog.look(at: "file:///data/new/place"))
        #expect(look.state == .moved && look.checked == 7 && look.reason == nil)
        #expect(try fixture.catalog.check().isEmpty)
    }

    @Test("has those worked on whose previews did not follow, and those that had failed")
    func pending() throws {
        let entries = ["a", "b"].map { CatalogFixture.file($0) }
        let items = try fixture.merge(entries).items
        try fixture.made(items[0], entries[0], plan: plan)
        var end = Settlement(
            item: items[1].id, size: entries[1].size, modified: entries[1].modified, state: .failed, plan: plan)
        end.failure = PluginError(.corrupt, "it is damaged")
        try fixture.catalog.settle([end])
        let target = try fixture.catalog.source("file:///new")
        var relocation = try #require(
            try fixture.catalog.relocation(of: fixture.source, below: .root, to: target, at: .root))
        let leaving = try fixture.catalog.nextItems(of: relocation)
        let arriving = leaving.map { ArrivingItem(id: $0.id, previews: [], isWhole: $0.previews.isEmpty) }
        try fixture.catalog.move(arriving, &relocation)
        try fixture.catalog.end(relocation)
        let folder = try fixture.catalog.folder(.root, in: target)
        #expect(try fixture.catalog.items(in: folder.id).map(\.state) == [.pending, .pending])
        #expect(try fixture.catalog.failures(in: folder).isEmpty)
    }

    @Test("is what it was where it has another time on its new storage")
    func times() throws {
        let entry = CatalogFixture.file("a", inode: 9)
        let item = try fixture.merge([entry]).items[0]
        try fixture.made(item, entry, plan: plan)
        let target = try fixture.catalog.source("file:///new")
        var relocation = try #require(
            try fixture.catalog.relocation(of: fixture.source, below: .root, to: target, at: .root))
        let leaving = try #require(try fixture.catalog.nextItems(of: relocation).first)
        #expect(leaving.modified == entry.modified && leaving.etag == nil)
        var arrived = entry
        (arrived.modified, arrived.identifier, arrived.etag) = (Timestamp(seconds: 5), 10, "1")
        try fixture.catalog.move(
            [ArrivingItem(id: item.id, previews: leaving.previews, isWhole: true, entry: arrived)], &relocation)
        try fixture.catalog.end(relocation)
        let found = Catalog.WholeFolder(
            folder: try fixture.catalog.folder(.root, in: target),
            listing: FolderListing(files: [arrived], folders: []),
            findings: FolderFindings(digest: FolderDigest(low: 3, high: 0)))
        let merged = try fixture.catalog.merge([found], of: target.id, now: 3000) { _ in }
        #expect(merged[0].items.map(\.status) == [.same] && merged[0].items.map(\.state) == [.made])
        #expect(try fixture.catalog.check().isEmpty)
    }

    @Test("leaves what had vanished from it its time of grace, and what turns up at the new place is known again")
    func vanished() throws {
        let entry = CatalogFixture.file("a", inode: 9)
        let item = try fixture.merge([entry]).items[0]
        try fixture.made(item, entry, plan: plan, key: 42)
        try fixture.merge([], digest: 2)
        let target = try fixture.catalog.source("file:///new")
        let relocation = try #require(
            try fixture.catalog.relocation(of: fixture.source, below: .root, to: target, at: .root))
        #expect(try fixture.catalog.nextItems(of: relocation).isEmpty)
        try fixture.catalog.end(relocation)
        #expect(try fixture.catalog.vanishedCount == 1)
        let found = Catalog.WholeFolder(
            folder: try fixture.catalog.folder(.root, in: target), listing: FolderListing(files: [entry], folders: []),
            findings: FolderFindings(digest: FolderDigest(low: 3, high: 0)))
        let merged = try fixture.catalog.merge([found], of: target.id, now: 3000) { _ in }
        #expect(merged[0].items.map(\.id) == [item.id])
        #expect(try fixture.catalog.vanishedCount == 0)
    }

    @Test("leaves its old place with the last of what had vanished from it", arguments: [false, true])
    func left(_ isKept: Bool) throws {
        try fixture.merge([CatalogFixture.file("a")])
        try fixture.merge([], digest: 2, now: 2000)
        let target = try fixture.catalog.source("file:///new")
        try move(fixture.source, to: target)
        let old = try #require(try fixture.catalog.knownSource("file:///data"))
        #expect(old.state == .left)
        _ = try fixture.catalog.takeVanished(before: 2000) { _, _ in }
        #expect(try fixture.catalog.sources().count == 2)
        // Somebody walks the old place meanwhile.
        if isKept { #expect(try fixture.catalog.keep(old)) }
        var gone: [String] = []
        _ = try fixture.catalog.takeVanished(before: 2001) { uri, _ in gone.append(uri) }
        #expect(gone == ["file:///data"])
        #expect(
            try fixture.catalog.sources().map(\.uri) == (isKept ? ["file:///data", "file:///new"] : ["file:///new"]))
        #expect(try fixture.catalog.keep(old) == isKept)
        #expect(try fixture.catalog.check().isEmpty)
    }

    @Test("goes neither into itself nor around itself")
    func itself() throws {
        try fixture.merge([CatalogFixture.file("a")], at: "x/y")
        for place in ["x/y/z", "x/y", "x"] {
            #expect(throws: PluginError.self) {
                try fixture.catalog.relocation(
                    of: fixture.source, below: ItemPath("x/y"), to: fixture.source, at: ItemPath(place))
            }
        }
    }

    @Test("is looked for by files from all over it", arguments: [1, 5, 64])
    func sample(_ limit: Int) throws {
        for number in 0..<20 {
            try fixture.merge([], at: "\(number)")
            try fixture.merge((0..<5).map { CatalogFixture.file("\($0)", size: 7) }, at: "\(number)/sub")
        }
        let sample = try fixture.catalog.sample(below: .root, of: fixture.source, limit: limit)
        #expect(sample.count == min(limit, 20) && Set(sample.map(\.path)).count == sample.count)
        #expect(sample.allSatisfy { $0.entry.size == 7 })
        #expect(limit < 64 || Set(sample.compactMap { $0.path.parent?.parent }).count > 10)
        let part = try fixture.catalog.sample(
            below: ItemPath("3"), of: fixture.source, besides: [ItemPath("3/sub")], limit: limit)
        #expect(part.isEmpty)
    }
}

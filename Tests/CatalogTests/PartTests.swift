import Catalog
import Testing
import VitrineKit

@Suite("A source inside another one")
struct PartTests {
    let fixture: CatalogFixture
    var catalog: Catalog { fixture.catalog }

    init() throws { fixture = try CatalogFixture() }

    private func files(_ names: String...) -> [Entry] { names.map { CatalogFixture.file($0) } }

    /// `a` and `x/b/c` with a file each, where `x/b` is a source of its own.
    private func fill() throws -> Set<FolderID> {
        try fixture.merge(files("1"), folders: ["a", "x"])
        try fixture.merge(files("2"), at: "a")
        try fixture.merge(files("3"), at: "x", folders: ["b"])
        try fixture.merge(files("4"), at: "x/b", folders: ["c"])
        try fixture.merge(files("5"), at: "x/b/c")
        return try catalog.knownFolders([ItemPath("x/b")], in: fixture.source)
    }

    private func folder(_ path: String) throws -> FolderRecord {
        try catalog.folder(try ItemPath(path), in: fixture.source)
    }

    private func allPaths() throws -> [String] {
        var paths: [String] = []
        try catalog.eachItem { paths += $0.map { "\($0.path)" } }
        return paths.sorted()
    }

    @Test("is named with all items also when it came while they are told")
    func late() throws {
        // More than are told at once.
        try fixture.merge((0..<2100).map { CatalogFixture.file("\($0)") })
        var told: [String: Int] = [:]
        try catalog.eachItem { (page: [PlacedItem]) throws(PluginError) in
            if told.isEmpty {
                let other = try catalog.source("file:///other")
                let whole = Catalog.WholeFolder(
                    folder: try catalog.folder(.root, in: other),
                    listing: FolderListing(files: [CatalogFixture.file("late")]),
                    findings: FolderFindings(digest: FolderDigest(low: 1, high: 0)))
                _ = try catalog.merge([whole], of: other.id, now: 2000)
            }
            for item in page { told[item.source, default: 0] += 1 }
        }
        #expect(told == ["file:///data": 2100, "file:///other": 1])
    }

    @Test("stays when the folders that lead to it vanish, or are left out")
    func passages() throws {
        let kept = try fill()
        var told: [String] = []
        let whole = Catalog.WholeFolder(
            folder: try folder(""),
            listing: FolderListing(files: files("1"), folders: [.init(name: Array("a".utf8))]),
            findings: FolderFindings(digest: nil))
        let merged = try catalog.merge([whole], of: fixture.source.id, now: 1, keeping: kept) { told.append("\($0)") }
        #expect(merged[0].vanished == 1 && told == ["x/3"])
        #expect(try allPaths() == ["1", "a/2", "x/b/4", "x/b/c/5"])
        #expect(try folder("x").isPassage && !folder("x/b").isPassage && !folder("a").isPassage)
        // Seen again, it is a folder like others.
        try fixture.merge(files("1"), folders: ["a", "x"])
        #expect(try !folder("x").isPassage && folder("x").digest == nil)
        // And when it is no source any more, it goes with the rest.
        try fixture.merge(files("1"), folders: ["a"]) { told.append("\($0)") }
        #expect(Set(told) == ["x/3", "x/b/4", "x/b/c/5"])
        #expect(try allPaths() == ["1", "a/2"])
    }

    @Test("is known before the larger one has come by")
    func made() throws {
        try fixture.merge(files("1"), at: "p/q/r")
        #expect(try folder("p").isPassage && folder("p/q").isPassage && !folder("p/q/r").isPassage)
    }

    @Test("is counted by itself, and left out of the larger one's count")
    func counted() throws {
        _ = try fill()
        let part = try ItemPath("x/b")
        #expect(try catalog.counts(below: .root, of: fixture.source) == [.pending: 5])
        #expect(try catalog.counts(below: .root, of: fixture.source, besides: [part]) == [.pending: 3])
        #expect(try catalog.counts(below: part, of: fixture.source) == [.pending: 2])
        #expect(try catalog.counts(below: ItemPath("nowhere"), of: fixture.source) == [:])
    }

    @Test("is counted by the tallies of folders that a run has settled")
    func settled() throws {
        let entries = files("1", "2")
        let items = try fixture.merge(entries).items
        let plan = try catalog.plan(FolderDigest(low: 1, high: 2))
        for (item, entry) in zip(items, entries) { try fixture.made(item, entry, plan: plan, key: item.id.key) }
        #expect(try catalog.counts(below: .root, of: fixture.source) == [.made: 2])
        try catalog.settle(folders: [try folder("").id], plan: plan)
        #expect(try folder("").plan == plan)
        #expect(try catalog.counts(below: .root, of: fixture.source) == [.made: 2])
        _ = try catalog.forgetPreviews(size: 256) { _ in false }
        #expect(try catalog.counts(below: .root, of: fixture.source) == [.pending: 2])
    }

    @Test("is forgotten by itself, and the larger one stays")
    func forgotten() throws {
        _ = try fill()
        try fixture.merge(files("4"), at: "x/b", folders: [])
        let version = try catalog.version
        var told: [String] = []
        try catalog.forget(fixture.source, below: ItemPath("x/b")) { told += $0.map { "\($0.path)" } }
        // One that vanished before is told for its previews, and is no news.
        #expect(told == ["x/b/4", "x/b/c/5"])
        #expect(try fixture.changes(since: version) == ["removed x/b/4"])
        #expect(try allPaths() == ["1", "a/2", "x/3"] && catalog.vanishedCount == 0)
        #expect(try folder("x/b").digest == nil && folder("x").digest != nil)
    }

    @Test("stays when the larger one is forgotten")
    func outer() throws {
        _ = try fill()
        try fixture.merge(files(), at: "a")
        try fixture.merge(files("5"), at: "x/b", folders: ["c"])
        var told: [String] = []
        try catalog.forget(fixture.source, keeping: [ItemPath("x/b")]) { told += $0.map { "\($0.path)" } }
        #expect(Set(told) == ["1", "a/2", "x/3"])
        #expect(try allPaths() == ["x/b/5", "x/b/c/5"] && catalog.vanishedCount == 1)
        #expect(try catalog.knownSource("file:///data")?.state == .new)
        try catalog.forget(fixture.source, below: ItemPath("x/b"))
        try catalog.forget(fixture.source)
        #expect(try catalog.sources().isEmpty && allPaths().isEmpty && catalog.vanishedCount == 0)
    }

    @Test("becomes a part of a larger one with all that is known of it")
    func joined() throws {
        let entries = files("1")
        let items = try fixture.merge(entries, folders: ["sub"]).items
        try fixture.merge(files("2", "3"), at: "sub")
        try fixture.merge(files("2"), at: "sub", digest: 7)
        try catalog.note(.partial, reason: "why", of: fixture.source.id, now: 50)
        let version = try catalog.version
        let large = try catalog.source("file:///")
        try catalog.join(fixture.source, to: large, at: ItemPath("data"))
        #expect(try catalog.sources().map(\.uri) == ["file:///"])
        #expect(try allPaths() == ["data/1", "data/sub/2"])
        #expect(try catalog.version == version)
        let look = try #require(try catalog.look(at: "file:///data"))
        #expect(look == SourceLook(state: .partial, reason: "why", checked: 50, since: 50))
        let sub = try catalog.folder(try ItemPath("data/sub"), in: large)
        #expect(sub.digest == FolderDigest(low: 7, high: 0) && !sub.isPassage)
        let root = try catalog.folder(try ItemPath("data"), in: large)
        #expect(try catalog.items(in: root.id).map(\.id) == items.map(\.id))
        var gone: [String] = []
        #expect(try catalog.takeVanished(before: 9000) { gone += $1.map { "\($0.path)" } } == 1)
        #expect(gone == ["data/sub/3"])
        #expect(try catalog.check() == [])
    }

    @Test("keeps how its looks went apart, and since when it is away")
    func looks() throws {
        let uri = "file:///data/x"
        #expect(try catalog.look(at: uri) == nil)
        try catalog.note(.complete, at: uri, now: 10)
        try catalog.note(.absent, reason: "no disk", at: uri, now: 20)
        try catalog.note(.absent, reason: "no network", at: uri, now: 30)
        #expect(
            try catalog.look(at: uri)
                == SourceLook(state: .absent, reason: "no network", indexed: 10, checked: 30, since: 20))
        #expect(try catalog.look(at: fixture.source.uri) == nil)
        try catalog.note(.complete, at: fixture.source.uri, now: 40)
        #expect(try catalog.look(at: fixture.source.uri)?.indexed == 40)
        try catalog.forgetLook(at: uri)
        #expect(try catalog.look(at: uri) == nil)
    }
}

extension ItemID {
    /// A number for a preview of it.
    fileprivate var key: UInt64 { UInt64(bitPattern: rawValue) }
}

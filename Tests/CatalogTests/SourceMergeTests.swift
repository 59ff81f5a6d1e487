import Catalog
import Testing
import VitrineKit

@Suite("A source that becomes a folder of another one")
struct SourceMergeTests {
    private let fixture: CatalogFixture
    private let plan: PlanID

    init() throws {
        fixture = try CatalogFixture()
        plan = try fixture.catalog.plan(FolderDigest(low: 1, high: 1))
    }

    @Test("keeps its items, their numbers and ends, and nobody is told")
    func absorbed() throws {
        let entry = CatalogFixture.file("a", inode: 9)
        let item = try fixture.merge([entry], at: "x", folders: []).items[0]
        try fixture.made(item, entry, plan: plan)
        try fixture.merge([], folders: ["x"])
        let version = try fixture.catalog.version
        let outer = try fixture.catalog.source("file:///")
        try fixture.catalog.join(fixture.source, to: outer, at: ItemPath("srv/data"))
        #expect(try fixture.changes(since: version) == [])
        #expect(try fixture.catalog.sources() == [outer])
        let folder = try fixture.catalog.folder(ItemPath("srv/data/x"), in: outer)
        let found = try #require(try fixture.catalog.items(in: folder.id).first)
        #expect(found.id == item.id && found.state == .made && found.plan == plan)
        #expect(folder.digest == FolderDigest(low: 1, high: 0))
    }

    @Test("says of what vanished before, and vanishes later, where it lay in the other one")
    func paths() throws {
        let odd = Entry(name: [0xFF], kind: .file, size: 3, modified: Timestamp(seconds: 4))
        let files = [CatalogFixture.file("a", inode: 1), odd]
        try fixture.merge(files)
        let version = try fixture.catalog.version
        try fixture.merge([files[0]], digest: 2)
        let outer = try fixture.catalog.source("file:///")
        try fixture.catalog.join(fixture.source, to: outer, at: ItemPath("data"))
        guard case .increment(let changes, _, _) = try fixture.catalog.changes(since: version) else {
            Issue.record("the changes are not told")
            return
        }
        #expect(changes.map(\.source) == ["file:///"])
        #expect(changes.map(\.path.bytes) == [Array("data/".utf8) + [0xFF]])
        let folder = try fixture.catalog.folder(ItemPath("data"), in: outer)
        var gone: [String] = []
        let whole = Catalog.WholeFolder(
            folder: folder, listing: FolderListing(), findings: FolderFindings(digest: nil))
        _ = try fixture.catalog.merge([whole], of: outer.id, now: 3000) { gone.append($0.description) }
        #expect(gone == ["data/a"])
        #expect(try fixture.catalog.check().isEmpty)
    }

    @Test("and a folder in it that is walked by itself make the folder above one to be listed")
    func above() throws {
        try fixture.merge([])
        _ = try fixture.catalog.folder(ItemPath("new/inner"), in: fixture.source)
        #expect(try fixture.catalog.folder(.root, in: fixture.source).digest == nil)
        try fixture.merge([], folders: ["new"])
        _ = try fixture.catalog.folder(ItemPath("new/inner"), in: fixture.source)
        #expect(try fixture.catalog.folder(.root, in: fixture.source).digest != nil)
    }

    @Test("is refused when it does not lie in the other one")
    func root() throws {
        let outer = try fixture.catalog.source("file:///")
        #expect(throws: PluginError.self) { try fixture.catalog.join(fixture.source, to: outer, at: .root) }
    }

    @Test("what was removed with its source is told with its whole URI")
    func forgottenName() throws {
        try fixture.merge([CatalogFixture.file("a")])
        let version = try fixture.catalog.version
        try fixture.catalog.forget(fixture.source)
        guard case .increment(let changes, _, _) = try fixture.catalog.changes(since: version) else {
            Issue.record("the changes are not told")
            return
        }
        #expect(changes.map(\.source) == ["file:///data"] && changes.map(\.kind) == [.removed])
        // Also once there is a source of that name again, which is another one.
        _ = try fixture.catalog.source("file:///data")
        guard case .increment(let again, _, _) = try fixture.catalog.changes(since: version) else { return }
        #expect(again.first?.source == "file:///data")
    }

    @Test("forgetting a source tells every item once, however many folders they are in")
    func forgotten() throws {
        for number in 0..<40 {
            try fixture.merge((0..<30).map { CatalogFixture.file("\($0)") }, at: "folder \(number)")
        }
        try fixture.merge([], folders: (1..<40).map { "folder \($0)" })
        var told: [String] = []
        try fixture.catalog.forget(fixture.source) { told += $0.map(\.path.description) }
        #expect(told.count == 1200 && Set(told).count == 1200)
        #expect(try fixture.catalog.sources().isEmpty && fixture.catalog.vanishedCount == 0)
    }
}

import Catalog
import Testing
import VitrineKit

@Suite("Merging a listing")
struct MergeTests {
    private let fixture: CatalogFixture

    init() throws { fixture = try CatalogFixture() }

    @Test("tells what is new, the same, changed and gone")
    func kinds() throws {
        let (a, b, c) = (CatalogFixture.file("a"), CatalogFixture.file("b"), CatalogFixture.file("c"))
        let first = try fixture.merge([a, b, c])
        #expect(first.items.map(\.status) == [.added, .added, .added])
        let version = try fixture.catalog.version

        var gone: [String] = []
        let longer = CatalogFixture.file("b", size: 11)
        let second = try fixture.merge([a, longer, CatalogFixture.file("d")], digest: 2) { gone.append("\($0)") }
        #expect(second.items.map(\.status) == [.same, .changed, .added])
        #expect(second.items.prefix(2).map(\.id) == first.items.prefix(2).map(\.id))
        #expect(second.vanished == 1)
        #expect(gone == ["c"])
        #expect(try fixture.changes(since: version) == ["changed b", "added d", "removed c"])
    }

    @Test(
        "of a file whose time changed by a nanosecond, or whose etag did, finds a change; of one with a new inode none")
    func marks() throws {
        var entry = CatalogFixture.file("a", inode: 3)
        try fixture.merge([entry])
        entry.identifier = 4
        #expect(try fixture.merge([entry]).items.map(\.status) == [.same])
        entry.modified = Timestamp(seconds: 5, nanoseconds: 8)
        #expect(try fixture.merge([entry]).items.map(\.status) == [.changed])
        entry.etag = "x"
        #expect(try fixture.merge([entry]).items.map(\.status) == [.changed])
    }

    @Test("keeps names that are no text, and times before and far after now")
    func oddities() throws {
        let times = [
            Timestamp(seconds: -1), Timestamp(seconds: .min), Timestamp(seconds: .max, nanoseconds: 999_999_999),
        ]
        let entries = times.enumerated().map { number, time in
            Entry(name: [0xFF, 0xC0, UInt8(number)], kind: .file, size: .max, modified: time)
        }
        try fixture.merge(entries)
        #expect(try fixture.merge(entries).items.allSatisfy { $0.status == .same })
        let folder = try fixture.catalog.folder(.root, in: fixture.source)
        #expect(try fixture.catalog.items(in: folder.id).map(\.entry) == entries)
    }

    @Test("takes a folder away with all that is below it")
    func folders() throws {
        try fixture.merge([], folders: ["x"])
        try fixture.merge([CatalogFixture.file("1")], at: "x", folders: ["y"])
        try fixture.merge([CatalogFixture.file("2")], at: "x/y")
        var gone: Set<String> = []
        let merged = try fixture.merge([], folders: [], digest: 2) { gone.insert("\($0)") }
        #expect(merged.vanished == 2)
        #expect(gone == ["x/1", "x/y/2"])
        let root = try fixture.catalog.folder(.root, in: fixture.source)
        #expect(try fixture.catalog.folders(in: root).isEmpty)
    }

    @Test("page by page is the same as at once")
    func pages() throws {
        let names = (0..<50).map { CatalogFixture.file("\($0)") }
        try fixture.merge(names)
        let folder = try fixture.catalog.folder(.root, in: fixture.source)
        var merge = try fixture.catalog.beginMerge(of: folder, source: fixture.source.id)
        let first = try fixture.catalog.take(FolderListing(files: Array(names[..<20])), &merge)
        let second = try fixture.catalog.take(FolderListing(files: Array(names[20..<49])), &merge)
        #expect((first + second).allSatisfy { $0.status == .same })
        #expect(try fixture.catalog.finish(merge, FolderFindings(digest: nil), now: 1) == 1)
        #expect(try fixture.catalog.items(in: folder.id).count == 49)
    }

    @Test("of a name that comes twice keeps one, on one page or on two")
    func twice() throws {
        let (old, new) = (CatalogFixture.file("a", size: 1), CatalogFixture.file("a", size: 2))
        var listing = FolderListing(files: [old, CatalogFixture.file("b"), new, CatalogFixture.file("b")])
        listing.sortFiles()
        #expect(listing.files.map(\.name) == [Array("a".utf8), Array("b".utf8)])
        let folder = try fixture.catalog.folder(.root, in: fixture.source)
        var merge = try fixture.catalog.beginMerge(of: folder, source: fixture.source.id)
        let first = try fixture.catalog.take(FolderListing(files: [old]), &merge)
        let second = try fixture.catalog.take(FolderListing(files: [new]), &merge)
        #expect(first[0].id == second[0].id && second[0].status == .changed)
        #expect(try fixture.catalog.finish(merge, FolderFindings(digest: nil), now: 1) == 0)
        #expect(try fixture.catalog.items(in: folder.id).map(\.entry.size) == [2])
    }

    @Test("of what can be listed but not looked at changes nothing that is known")
    func hidden() throws {
        let entry = CatalogFixture.file("a", inode: 3)
        try fixture.merge([entry])
        let version = try fixture.catalog.version
        let name = Entry(name: entry.name, kind: .file)
        #expect(try fixture.merge([name], digest: 2).items.map(\.status) == [.same])
        #expect(try fixture.merge([entry], digest: 3).items.map(\.status) == [.same])
        #expect(try fixture.changes(since: version) == [])
    }

    @Test("page by page that was never ended leaves the folder to be listed again")
    func unfinished() throws {
        try fixture.merge([CatalogFixture.file("a")], digest: 7)
        let folder = try fixture.catalog.folder(.root, in: fixture.source)
        #expect(folder.digest != nil)
        var merge = try fixture.catalog.beginMerge(of: folder, source: fixture.source.id)
        _ = try fixture.catalog.take(FolderListing(files: [CatalogFixture.file("a", size: 99)]), &merge)
        #expect(try fixture.catalog.folder(.root, in: fixture.source).digest == nil)
    }

    @Test("numbers of items are never given twice")
    func numbers() throws {
        let first = try fixture.merge([CatalogFixture.file("a")]).items[0].id
        try fixture.merge([], digest: 2)
        let second = try fixture.merge([CatalogFixture.file("b")], digest: 3).items[0].id
        #expect(second != first)
        try fixture.merge([], digest: 4)
        #expect(try fixture.catalog.vanishedCount == 2)
    }

    @Test("knows the path of a folder in a tree that is deeper than a thread's stack")
    func deep() throws {
        let path = try ItemPath(Array(repeating: "d", count: 20_000).joined(separator: "/"))
        let record = try fixture.catalog.folder(path, in: fixture.source)
        let whole = Catalog.WholeFolder(
            folder: record, listing: FolderListing(files: [CatalogFixture.file("a")]),
            findings: FolderFindings(digest: nil))
        _ = try fixture.catalog.merge([whole], of: fixture.source.id, now: 1)
        var count = 0
        try fixture.catalog.eachItem { items throws(PluginError) in count += items.map(\.path.bytes.count).reduce(0, +)
        }
        #expect(count == path.bytes.count + 2)
    }
}

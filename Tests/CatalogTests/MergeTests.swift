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
}

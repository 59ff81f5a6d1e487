import Catalog
import SQLite
import Testing
import VitrineKit

@Suite("Very many items that are new")
struct AddingTests {
    private let fixture: CatalogFixture

    init() throws { fixture = try CatalogFixture() }

    private static func files(_ range: Range<Int>) -> [Entry] {
        range.map { CatalogFixture.file("file \(1000 + $0)", inode: UInt64(5000 - $0)) }
    }

    @Test("are numbered in the order of their folder, and known by the next run", arguments: [1, 3, 4, 21, 85, 300])
    func order(count: Int) throws {
        let files = Self.files(0..<count)
        let items = try fixture.merge(files).items
        #expect(items.allSatisfy { $0.status == .added })
        #expect(zip(items, items.dropFirst()).allSatisfy { $0.id.rawValue + 1 == $1.id.rawValue })
        let folder = try fixture.catalog.folder(.root, in: fixture.source)
        let known = try fixture.catalog.items(in: folder.id)
        #expect(known.map(\.entry) == files && known.map(\.id) == items.map(\.id))
        let again = try fixture.merge(files, digest: 2).items
        #expect(again.map(\.id) == items.map(\.id) && again.allSatisfy { $0.status == .same })
    }

    @Test("are added one by one where a name comes twice")
    func twice() throws {
        var files = Self.files(0..<100)
        files[70] = CatalogFixture.file("file 1069", size: 99)
        let items = try fixture.merge(files).items
        #expect(items.count == 100 && items[69].id == items[70].id && items[70].status == .changed)
        let folder = try fixture.catalog.folder(.root, in: fixture.source)
        #expect(try fixture.catalog.items(in: folder.id).count == 99)
        #expect(try fixture.catalog.check().isEmpty)
    }

    @Test("between some that are known keep their places")
    func between() throws {
        let files = Self.files(0..<200)
        let known = files.enumerated().filter { $0.offset % 37 == 5 }
        let before = try fixture.merge(known.map(\.element)).items
        let items = try fixture.merge(files, digest: 2).items
        #expect(items.filter { $0.status == .same }.map(\.id) == before.map(\.id))
        let folder = try fixture.catalog.folder(.root, in: fixture.source)
        #expect(try fixture.catalog.items(in: folder.id).map(\.id) == items.map(\.id))
    }

    // MARK: The log of changes

    @Test("share a row of the log, and are told from any version on")
    func log() throws {
        let start = try fixture.catalog.version
        try fixture.merge(Self.files(0..<300))
        #expect(try fixture.catalog.version == start + 300)
        let rows = try Database(fixture.catalog.path).first("SELECT count(*) FROM change") { $0.integer(0) }
        #expect(rows == 1)
        #expect(try fixture.changes(since: start).count == 300)
        #expect(try fixture.changes(since: start + 298) == ["added file 1298", "added file 1299"])
        #expect(try fixture.changes(since: start + 300) == [])
    }

    @Test("are told in parts of any size, each once and with its version", arguments: [1, 7, 64, 299, 300, 301])
    func parts(limit: Int) throws {
        let start = try fixture.catalog.version
        try fixture.merge(Self.files(0..<300))
        let files = Self.files(0..<300).map { CatalogFixture.file(String(decoding: $0.name, as: UTF8.self), size: 11) }
        try fixture.merge(Array(files[..<2]) + Self.files(2..<300), digest: 2)
        var (since, told, isDone) = (start, [Change](), false)
        while !isDone {
            guard
                case .increment(let changes, let version, let isAll) = try fixture.catalog.changes(
                    since: since, limit: limit)
            else {
                Issue.record("the version is too old")
                return
            }
            #expect(changes.count <= limit)
            try #require(version > since || isAll)
            told += changes
            (since, isDone) = (version, isAll)
        }
        #expect(told.map(\.version) == Array(start + 1...start + 302))
        #expect(told.map(\.kind) == Array(repeating: .added, count: 300) + [.changed, .changed])
        #expect(try since == fixture.catalog.version)
    }

    @Test("that are gone again are told to those only who heard of them")
    func gone() throws {
        let start = try fixture.catalog.version
        try fixture.merge(Self.files(0..<10))
        try fixture.merge(Self.files(0..<4) + Self.files(6..<10), digest: 2)
        let known = try fixture.changes(since: start)
        #expect(known.count == 8 && !known.contains { $0.contains("1004") || $0.hasPrefix("removed") })
        // Who knew the first five.
        #expect(try fixture.changes(since: start + 5).suffix(1) == ["removed file 1004"])
        #expect(try fixture.changes(since: start + 5).count == 5)
    }

    @Test("of a run that broke off leave nothing in the log")
    func broken() throws {
        let start = try fixture.catalog.version
        let folder = try fixture.catalog.folder(.root, in: fixture.source)
        var merge = try fixture.catalog.beginMerge(of: folder, source: fixture.source.id)
        let database = try Database(fixture.catalog.path)
        try database.execute(
            "CREATE TRIGGER full BEFORE INSERT ON item WHEN new.size = 77 BEGIN SELECT RAISE(ABORT, 'full'); END")
        let files = Self.files(0..<40) + [CatalogFixture.file("last", size: 77)]
        #expect(throws: PluginError.self) { try fixture.catalog.take(FolderListing(files: files), &merge) }
        try database.execute("DROP TRIGGER full")
        #expect(try fixture.catalog.version == start && fixture.catalog.items(in: folder.id).isEmpty)
        try fixture.merge([CatalogFixture.file("other")])
        #expect(try fixture.changes(since: start) == ["added other"])
    }

    // MARK: Inodes

    private func isKnown(_ inode: UInt64, as name: String) throws -> Bool {
        let item = try fixture.merge([CatalogFixture.file("new", inode: inode)], at: "sub \(inode)").items[0]
        guard case .perhapsMoved(_, let path, _) = item.status else { return false }
        return path.description == name
    }

    @Test("are found by their inodes once the source was seen whole, however many they are")
    func inodes() throws {
        let count = 50_100
        try fixture.merge((0..<count).map { CatalogFixture.file("file \($0)", inode: UInt64(100_000 - $0)) })
        try fixture.catalog.note(.complete, of: fixture.source.id, now: 1)
        #expect(try isKnown(100_000, as: "file 0"))
        #expect(try isKnown(UInt64(100_000 - count + 1), as: "file \(count - 1)"))
        #expect(try !isKnown(7, as: "file 0"))
        #expect(try fixture.catalog.check().isEmpty)
    }

    @Test("are found by the inode that they have, not by one that they had")
    func replaced() throws {
        try fixture.merge([CatalogFixture.file("a", inode: 1), CatalogFixture.file("b", inode: 2)])
        try fixture.catalog.note(.complete, of: fixture.source.id, now: 1)
        #expect(try isKnown(1, as: "a"))
        let files = [CatalogFixture.file("a", inode: 3), CatalogFixture.file("b")]
        try fixture.merge(files, folders: ["sub 1"], digest: 2)
        #expect(try isKnown(3, as: "a"))
        #expect(try !isKnown(2, as: "b"))
        // One that vanished and came back has its old number, which is before those that were looked at.
        try fixture.merge([CatalogFixture.file("b")], folders: ["sub 1", "sub 2", "sub 3"], digest: 3)
        try fixture.merge(files, folders: ["sub 1", "sub 2", "sub 3"], digest: 4)
        let item = try fixture.merge([CatalogFixture.file("other", inode: 3)], at: "sub 9").items[0]
        guard case .perhapsMoved(_, let path, _) = item.status, path.description == "a" else {
            Issue.record("it is \(item.status)")
            return
        }
    }

    @Test("are found, and told, in a catalog of the version before")
    func migrated() throws {
        let start = try fixture.catalog.version
        try fixture.merge([CatalogFixture.file("a", inode: 1), CatalogFixture.file("b", inode: 2)])
        try fixture.catalog.note(.complete, of: fixture.source.id, now: 1)
        let path = fixture.catalog.path
        // As that version wrote it: a row for each.
        try Database(path).execute(
            "INSERT INTO change(version, kind, item) SELECT version - 1, kind, item FROM change; "
                + "UPDATE change SET item = item + 1, more = 0 WHERE version = (SELECT max(version) FROM change); "
                + CatalogFixture.toVersion4)
        let opened = try Catalog.open(at: path)
        #expect(opened.opening == .found)
        guard case .increment(let changes, _, true) = try opened.catalog.changes(since: start) else {
            Issue.record("its changes are lost")
            return
        }
        #expect(changes.map(\.path.description) == ["a", "b"])
        #expect(try isKnown(2, as: "b"))
    }
}

import Catalog
import Foundation
import SQLite
import Testing
import VitrineKit

@Suite("The index of names")
struct FindIndexTests {
    let fixture: CatalogFixture

    init() throws { fixture = try CatalogFixture() }

    private func names(_ query: String) throws -> Set<String> { try fixture.names(FindQuery(query.utf8)) }

    /// Compares the index with what it would be if it were made anew: by what it holds, and by what FTS5 says of it.
    private func check() throws {
        let database = try Database(fixture.catalog.path)
        func content() throws -> [String] {
            try database.rows("SELECT term || ' ' || doc FROM name_term ORDER BY 1") { $0.text(0) }
                + database.rows("SELECT seconds || ' ' || item FROM recent ORDER BY 1") { $0.text(0) }
                + database.rows("SELECT size || ' ' || item FROM sized ORDER BY 1") { $0.text(0) }
        }
        #expect(try fixture.catalog.unindexedCount() == 0)
        let kept = try content()
        try database.execute(
            """
            INSERT INTO name_trigram(name_trigram) VALUES ('integrity-check');
            INSERT INTO name_trigram(name_trigram) VALUES ('delete-all'); DELETE FROM recent;
            DELETE FROM sized; UPDATE named SET upto = 0;
            """)
        try fixture.catalog.completeIndex()
        #expect(try kept == content())
    }

    @Test("follows what comes, changes, moves and goes, whenever it is completed", arguments: 0..<16)
    func follows(mask: Int) throws {
        let names = ["alpha", "beta", "gamma", "delta"]
        func entry(_ name: String, _ seconds: Int64) -> Entry {
            CatalogFixture.file(name, seconds: seconds, inode: UInt64(name.utf8.first ?? 0))
        }
        var step = 0
        func perhapsComplete() throws {
            if mask >> step & 1 == 1 { try fixture.catalog.completeIndex() }
            step += 1
        }
        try fixture.merge(names.map { entry($0, 1) }.sorted { $0.name.lexicographicallyPrecedes($1.name) })
        try perhapsComplete()
        // delta is gone, beta is newer.
        try fixture.merge([entry("alpha", 1), entry("beta", 2), entry("gamma", 1)], folders: ["sub"], digest: 2)
        try perhapsComplete()
        // delta is back at another place, under another name; alpha goes; a new one comes, whose number may be delta's.
        var moved = entry("delta", 1)
        moved.name = Array("epsilon".utf8)
        try fixture.merge([moved], at: "sub")
        try fixture.merge(
            [entry("beta", 2), entry("gamma", 1), entry("zeta", 3)], folders: ["sub"], digest: 3)
        try perhapsComplete()
        // gamma is renamed in place.
        var renamed = entry("gamma", 1)
        renamed.name = Array("eta".utf8)
        try fixture.merge([entry("beta", 2), renamed, entry("zeta", 3)], folders: ["sub"], digest: 4)
        try perhapsComplete()
        try fixture.catalog.completeIndex()
        #expect(try self.names("eta") == ["beta", "zeta", "eta"])
        #expect(try self.names("epsilon") == ["sub/epsilon"])
        for gone in ["alpha", "gamma", "delta"] { #expect(try self.names(gone).isEmpty) }
        try check()
    }

    @Test("an item that went before it was indexed leaves nothing")
    func neverIndexed() throws {
        try fixture.merge([CatalogFixture.file("first"), CatalogFixture.file("second")])
        try fixture.merge([CatalogFixture.file("first")], digest: 2)
        try fixture.catalog.completeIndex()
        #expect(try fixture.count("stale") == 0)
        #expect(try names("second").isEmpty)
        try check()
    }

    @Test("a source that is forgotten leaves nothing")
    func forgotten() throws {
        try fixture.merge([CatalogFixture.file("first"), CatalogFixture.file("second")])
        try fixture.catalog.completeIndex()
        try fixture.catalog.forget(fixture.source)
        #expect(try names("first").isEmpty)
        try fixture.catalog.completeIndex()
        #expect(try fixture.count("recent") == 0 && fixture.count("name_term") == 0)
    }

    @Test("goes on where it was left off")
    func leftOff() throws {
        try fixture.merge((0..<30_000).map { CatalogFixture.file("file \($0)") })
        var parts = 0
        let isDone = try fixture.catalog.completeIndex {
            parts += 1
            return parts <= 1
        }
        #expect(!isDone)
        #expect(try fixture.catalog.unindexedCount() == 10_000)
        // Another process opens it after this one was killed.
        let other = try Catalog.open(at: fixture.catalog.path).catalog
        #expect(try other.completeIndex())
        #expect(try names("29999") == ["file 29999"])
        try check()
    }

    @Test("that is damaged is made anew, and nothing else is lost")
    func damaged() throws {
        try fixture.merge([CatalogFixture.file("first")])
        try fixture.catalog.completeIndex()
        let version = try fixture.catalog.version
        try Database(fixture.catalog.path).execute("UPDATE name_trigram_data SET block = x'00112233' WHERE id > 1")
        try fixture.merge([CatalogFixture.file("first"), CatalogFixture.file("second")], digest: 2)
        let again = try Catalog.open(at: fixture.catalog.path).catalog
        try again.completeIndex()
        #expect(try again.version == version + 1)
        #expect(try again.find(FindQuery("first".utf8)).count == 1)
        #expect(try again.find(FindQuery("second".utf8)).count == 1)
    }

    @Test("that is damaged is made anew by who looks for something")
    func damagedReading() throws {
        try fixture.merge([CatalogFixture.file("first")])
        try fixture.catalog.completeIndex()
        try Database(fixture.catalog.path).execute(
            "UPDATE name_trigram_data SET block = CAST(block || randomblob(64) AS BLOB) WHERE id = 10; "
                + "DELETE FROM name_trigram_data WHERE id > 10")
        let again = try Catalog.open(at: fixture.catalog.path).catalog
        #expect(try again.find(FindQuery("first".utf8)).count == 1)
    }

    @Test("is given up where what is indexed is damaged, too", .timeLimit(.minutes(5)))
    func damagedBehind() throws {
        let files = (0..<2000).map { CatalogFixture.file("a name that takes some room \($0)") }
        try fixture.merge(files)
        let path = fixture.catalog.path
        try Database(path).execute("PRAGMA wal_checkpoint(TRUNCATE)")
        var bytes = try Data(contentsOf: URL(filePath: path))
        let size = 4096
        // A leaf of the table of items: it begins with 13.
        let page = try #require(
            stride(from: size, to: bytes.count, by: size).first { start in
                let name = Data("a name that takes some room 1".utf8)
                return bytes[start] == 13 && bytes[start..<(start + size)].range(of: name) != nil
            })
        bytes.replaceSubrange(page..<(page + size), with: Data(repeating: 0xFF, count: size))
        try bytes.write(to: URL(filePath: path))
        let damaged = try Catalog.open(at: path).catalog
        let error = #expect(throws: PluginError.self) { try damaged.completeIndex() }
        #expect(error?.code == .corrupt)
    }

    @Test("is added to a catalog of the version before")
    func migrated() throws {
        try fixture.merge([CatalogFixture.file("first")])
        let path = fixture.catalog.path
        let tables = [
            "name_term", "document_term", "name_trigram", "document_word", "document_trigram", "recent", "stale",
            "named", "document", "part", "sized",
        ]
        try Database(path).execute(
            CatalogFixture.toVersion4
                + "DROP INDEX gone_age; DROP TRIGGER item_left; DROP TRIGGER item_renamed; "
                + "ALTER TABLE source DROP COLUMN since; "
                + tables.map { "DROP TABLE \($0)" }.joined(separator: "; ")
                + "; PRAGMA user_version = 1")
        let opened = try Catalog.open(at: path)
        #expect(opened.opening == .found)
        try opened.catalog.completeIndex()
        #expect(try opened.catalog.find(FindQuery("first".utf8)).count == 1)
    }

    @Test("leads to the few files of a size, and follows sizes that change")
    func sizes() throws {
        var files = (0..<12_000).map { CatalogFixture.file("file \($0)", size: 0) }
        files[11].size = 5000
        try fixture.merge(files)
        try fixture.catalog.completeIndex()
        func found(_ words: String = "", from least: Int64? = nil, to most: Int64? = nil) throws -> Set<String> {
            var query = FindQuery(words.utf8)
            (query.minimumSize, query.maximumSize) = (least, most)
            return try fixture.names(query)
        }
        #expect(try found(from: 1) == ["file 11"])
        #expect(try found("file", from: 1) == ["file 11"])
        #expect(try found(from: 6000).isEmpty)
        // Only its size changes, as when somebody puts the time back.
        files[11].size = 0
        files[4711].size = 7000
        try fixture.merge(files, digest: 2)
        try fixture.catalog.completeIndex()
        #expect(try found(from: 1) == ["file 4711"])
        try check()
        // Many words, and many sizes, of which few have both.
        files = files.enumerated().map { number, file in
            var file = file
            file.size = number % 2 == 0 ? 10 : 20
            if number % 2 == 0 || number == 77 { file.name = Array("even \(number)".utf8) }
            return file
        }
        try fixture.merge(files, digest: 3)
        try fixture.catalog.completeIndex()
        #expect(try found("even", from: 20) == ["even 77"])
    }
}

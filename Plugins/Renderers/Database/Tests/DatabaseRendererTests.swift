import CDatabase
import RendererFixtures
import Testing
import VitrineKit
import VitrineTesting

@testable import DatabaseRenderer

@Suite struct DatabaseRendererTests {
    private static let type = "application/vnd.sqlite3"

    private func draw(_ input: any RandomAccessInput, box: Int = 256) throws -> Rendering {
        let renderer = try DatabaseRenderer(RendererEnvironment(pluginFolder: "/"))
        var request = RenderRequest(box: box, mimeType: Self.type)
        request.wantsText = true
        return try renderer.render(input, request)
    }

    /// A database that is made by statements, in memory or in a file.
    @discardableResult private func database(_ statements: String, at path: String = ":memory:") throws -> [UInt8] {
        var connection: OpaquePointer?
        defer { sqlite3_close(connection) }
        try #require(sqlite3_open(path, &connection) == SQLITE_OK)
        let status = sqlite3_exec(connection, statements, nil, nil, nil)
        try #require(status == SQLITE_OK, "\(String(cString: sqlite3_errmsg(connection)))")
        var size: sqlite3_int64 = 0
        let bytes = try #require(sqlite3_serialize(connection, "main", &size, 0))
        defer { sqlite3_free(bytes) }
        return Array(UnsafeBufferPointer(start: bytes, count: Int(size)))
    }

    private func contents(_ bytes: [UInt8]) throws -> DatabaseContents { try contents(BytesInput(bytes)) }
    private func contents(_ input: any RandomAccessInput) throws -> DatabaseContents {
        try DatabaseContents(input, DatabaseFile(input))
    }

    private func failure(_ bytes: [UInt8]) -> PluginError.Code? {
        RendererFixtures.failure { try draw(BytesInput(bytes), box: 64) }
    }

    @Test("It keeps the renderer's contract") func conformance() throws {
        let sample = RendererSample(
            "library", mimeType: Self.type, bytes: try Fixtures.bytes("database/library.sqlite"))
        let suite = RendererConformance(samples: [sample], enlarges: true) { environment throws(PluginError) in
            try DatabaseRenderer(environment)
        }
        #expect(suite.violations() == [])
    }

    @Test("The table that says most is shown, and what programs keep for themselves is left out")
    func library() throws {
        let bytes = try Fixtures.bytes("database/library.sqlite")
        let found = try contents(bytes)
        #expect(found.tables.map(\.name) == ["loan", "book", "reader"] && found.isWhole)
        #expect(found.tables.map(\.count) == ["100 rows", "48 rows", "2 rows"])
        #expect(found.shown.name == "book" && found.kind == "SQLite database")
        // A column that is computed of others would run code.
        #expect(found.cells[0] == ["id", "title", "year", "price", "cover"])
        #expect(found.cells[1] == ["1", "Amsterdam, Part 1", "1950", "4.5", ""])
        #expect(found.cells[2] == ["2", "Berlin, Part 1", "1951", "5.5", "1 B"])
        #expect(found.isNumeric == [true, false, true, true, false])
        let drawn = try draw(BytesInput(bytes))
        let name = try #require(FactName(rawValue: "tableNames"))
        #expect(drawn.facts.details[name] == .list(["loan", "book", "reader"]))
        let text = try #require(drawn.facts.text)
        #expect(text.contains("reader id full name\n") && text.contains("Amsterdam, Part 1"))
        #expect(drawn.bitmap.height == 256)
    }

    @Test(
        "Rows are counted up to a bound",
        arguments: [(1, "1 row"), (1204, "1,204 rows"), (100_001, "more than 100,000 rows")])
    func counts(rows: Int, words: String) throws {
        let folder = try ScratchFolder("database")
        let path = folder.path + "/a.db"
        let bytes = try database(
            """
            CREATE TABLE a(b);
            WITH RECURSIVE r(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM r LIMIT \(rows)) INSERT INTO a SELECT i FROM r
            """, at: path)
        let found = try contents(FileInput(path: path))
        #expect(found.shown.count == words)
        #expect(found.cells.count == min(rows, 40) + 1)
        // Of a file that lies elsewhere less is read for it.
        let far = rows > 100_000 ? "more than 27,000 rows" : words
        #expect(try contents(bytes).shown.count == far)
        withExtendedLifetime(folder) {}
    }

    @Test("Of a large database that lies elsewhere a small part is read")
    func large() throws {
        let bytes = try database(
            """
            CREATE TABLE a(b, c);
            WITH RECURSIVE r(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM r LIMIT 50000)
            INSERT INTO a SELECT i, printf('%0200d', i) FROM r
            """)
        let input = CountingInput(bytes)
        let drawn = try draw(input)
        #expect(bytes.count > 10 << 20 && input.bytesRead < 2 << 20, "\(input.bytesRead) of \(bytes.count)")
        #expect(drawn.facts.text?.contains("a b c\n1 000") == true)
    }

    @Test("A map is shown by its outermost tile, and by its tables where that is no picture")
    func tiles() throws {
        let bytes = try Fixtures.bytes("database/map.mbtiles")
        let drawn = try draw(BytesInput(bytes))
        #expect(drawn.bitmap.width == 160 && drawn.bitmap.height == 120)
        #expect(QuadrantCheck(RGBAPicture(drawn.bitmap)).arrangement == .upright)
        #expect(try contents(bytes).kind == "MBTiles")
        // Two tables that a view joins, as programs that keep equal tiles once.
        let picture = try Fixtures.bytes("image/rgb-8.png").map { byte in
            let digits = String(byte, radix: 16)
            return digits.count == 1 ? "0" + digits : digits
        }.joined()
        func twoTables(_ tile: String) throws -> Rendering {
            let bytes = try database(
                """
                CREATE TABLE map(zoom_level INT, tile_column INT, tile_row INT, tile_id TEXT);
                CREATE TABLE images(tile_id TEXT, tile_data BLOB);
                CREATE VIEW tiles AS SELECT * FROM map JOIN images USING (tile_id);
                INSERT INTO map VALUES(3, 1, 1, 'a'), (4, 2, 2, 'b');
                INSERT INTO images VALUES('b', x'00'), ('a', x'\(tile)');
                """)
            return try draw(BytesInput(bytes))
        }
        #expect(QuadrantCheck(RGBAPicture(try twoTables(picture).bitmap)).arrangement == .upright)
        for tile in ["00", String(picture.prefix(200))] {
            let page = try twoTables(tile).bitmap
            #expect(page.height == 256 && page.width < 256)
        }
    }

    @Test("Of the tiles of a map only the one that is drawn is read, and of a database no more than a bound")
    func bounds() throws {
        let picture = try Fixtures.bytes("image/rgb-8.png").map { byte in
            let digits = String(byte, radix: 16)
            return digits.count == 1 ? "0" + digits : digits
        }.joined()
        let bytes = try database(
            """
            CREATE TABLE tiles(zoom_level INT, tile_column INT, tile_row INT, tile_data BLOB);
            WITH RECURSIVE r(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM r LIMIT 40)
            INSERT INTO tiles SELECT 1, i, i, zeroblob(300000) FROM r;
            INSERT INTO tiles VALUES(1, 50, 50, CAST(x'\(picture)' || zeroblob(310000) AS BLOB))
            """)
        let input = CountingInput(bytes)
        #expect(QuadrantCheck(RGBAPicture(try draw(input).bitmap)).arrangement == .upright)
        #expect(bytes.count > 12_000_000 && input.bytesRead < 3 << 20, "\(input.bytesRead) of \(bytes.count)")
        let folder = try ScratchFolder("database")
        let path = folder.path + "/a.db"
        try database(
            """
            CREATE TABLE a(b TEXT); WITH RECURSIVE r(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM r LIMIT 12)
            INSERT INTO a SELECT CAST(zeroblob(15000000) AS TEXT) FROM r
            """, at: path)
        #expect(try 8...10 ~= contents(FileInput(path: path)).cells.count)
        withExtendedLifetime(folder) {}
    }

    @Test("No code of the database is run, whatever its tables are called")
    func code() throws {
        let name = "x\"\"; DROP TABLE good; --"
        let found = try contents(
            try database(
                """
                CREATE TABLE good(a TEXT); INSERT INTO good VALUES('x');
                CREATE TABLE computed(a, b AS (hex(zeroblob(900000000))), c AS (printf('%900000000d', 1)));
                CREATE VIEW v AS SELECT load_extension('x');
                CREATE TABLE "\(name)"("a""b", "c.d" DEFAULT 'e'); INSERT INTO "\(name)"("a""b") VALUES(7);
                CREATE VIRTUAL TABLE words USING fts5(body); INSERT INTO words VALUES('hidden');
                """))
        #expect(found.tables.map(\.name) == ["good", "computed", "x\"; DROP TABLE good; --"])
        #expect(found.tables.map(\.columns) == [["a"], ["a"], ["a\"b", "c.d"]])
        // What is listed as a table is made by a module: the tables beside it are shown all the same.
        let listed = try database(
            """
            CREATE TABLE good(a TEXT); INSERT INTO good VALUES('x'); CREATE TABLE bad(a);
            PRAGMA writable_schema = ON;
            UPDATE sqlite_master SET sql = 'CREATE VIRTUAL TABLE bad USING fts5(a)' WHERE name = 'bad'
            """)
        #expect(try contents(listed).tables.map(\.name) == ["good"])
    }

    @Test("A database with a log beside it is read without it")
    func logs() throws {
        func logged(_ bytes: [UInt8]) -> [UInt8] { Array(bytes[..<18]) + [2, 2] + bytes[20...] }
        let bytes = logged(try database("CREATE TABLE a(b); INSERT INTO a VALUES('c')"))
        #expect(try contents(bytes).cells == [["b"], ["c"]])
        let empty = logged(try database("CREATE TABLE a(b); DROP TABLE a"))
        let error = #expect(throws: PluginError.self) { try contents(empty) }
        #expect(error?.code == .empty && error?.message.contains("log") == true)
    }

    @Test("Where the first row is too large, or damaged, its table is shown without rows")
    func unreadable() throws {
        let folder = try ScratchFolder("database")
        let path = folder.path + "/a.db"
        try database(
            "CREATE TABLE a(b TEXT, c); INSERT INTO a VALUES(CAST(zeroblob(17000000) AS TEXT), 1), ('d', 2)", at: path)
        #expect(try contents(FileInput(path: path)).cells == [["b", "c"]])
        withExtendedLifetime(folder) {}
        let rows = "WITH RECURSIVE r(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM r LIMIT 3) INSERT INTO"
        var bytes = try database(
            """
            PRAGMA page_size = 1024; CREATE TABLE big(t TEXT, u TEXT); CREATE TABLE small(v INT);
            \(rows) big SELECT i, printf('%05205d', i) FROM r; \(rows) small SELECT i FROM r
            """)
        #expect(try contents(bytes).cells.count == 4)
        // What does not fit beside the lists of rows lies behind the first pages, which are those of the tables.
        bytes.replaceSubrange(3072..<bytes.count, with: [UInt8](repeating: 0xFF, count: bytes.count - 3072))
        #expect(try contents(bytes).cells == [["t", "u"]])
        let alone = try database(
            "PRAGMA page_size = 1024; CREATE TABLE big(t TEXT); INSERT INTO big VALUES(printf('%05000d', 1))")
        let rest = [UInt8](repeating: 0xFF, count: alone.count - 2 * 1024)
        #expect(failure(Array(alone[..<2048]) + rest) == .corrupt)
    }

    @Test("What is empty, cut off or damaged is refused")
    func bad() throws {
        let bytes = try Fixtures.bytes("database/library.sqlite")
        #expect(failure([]) == .empty)
        #expect(failure(try database("CREATE TABLE a(b); DROP TABLE a")) == .empty)
        for count in [1, 15, 16, 99, 100, 1024, 1025, bytes.count / 2, bytes.count - 1024] {
            #expect(failure(Array(bytes.prefix(count))) == .corrupt, "\(count)")
        }
        // What begins otherwise is none, or all of it is encrypted.
        #expect(failure(Array("SQLite format 4".utf8) + bytes.dropFirst(15)) == .unsupported)
        #expect(failure(bytes.map { $0 ^ 0x5A }) == .unsupported)
        for seed in 0..<60 {
            let code = failure(damaged(bytes, seed: seed, changes: 40, from: 16))
            #expect([nil, .corrupt, .limitExceeded, .empty].contains(code), "\(seed)")
        }
    }
}

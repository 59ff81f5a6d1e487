import Catalog
import SQLite
import Testing
import VitrineKit

@Suite("The table of inodes")
struct InodeTests {
    @Test("is filled in parts: who is cancelled fills no further one, and the next merge goes on")
    func cancelled() async throws {
        let fixture = try CatalogFixture()
        // Without a source that was seen whole nobody asks for inodes.
        try fixture.merge([CatalogFixture.file("first")])
        try fixture.catalog.note(.complete, of: fixture.source.id, now: 1)
        let count: Int64 = 60_000
        let database = try Database(fixture.catalog.path)
        try database.run(
            """
            WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?)
            INSERT INTO item(folder, name, inode) SELECT -1, CAST(i AS BLOB), i FROM n
            """, .integer(count))
        func inodes() throws -> Int64? { try database.first("SELECT count(*) FROM numbered") { $0.integer(0) } }
        let before = try inodes()
        let merging = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            try fixture.merge([CatalogFixture.file("second")], at: "sub")
        }
        let error = await #expect(throws: PluginError.self) { try await merging.value }
        #expect(error?.code == .cancelled)
        #expect(try inodes() == before && !fixture.catalog.threw(#require(error)))
        try fixture.merge([CatalogFixture.file("second")], at: "sub")
        #expect(try inodes() == count)
    }
}

import Foundation
import SQLite
import TestSupport
import Testing
import VitrineKit

@Suite("A database")
struct DatabaseTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    @Test("keeps every kind of value as it was given")
    func values() throws {
        let database = try Database(":memory:")
        try database.execute("CREATE TABLE t(a, b, c, d, e, f, g)")
        try database.run(
            "INSERT INTO t VALUES (?, ?, ?, ?, ?, ?, ?)", .null, .integer(Int64.min), .real(0.5), .text("a\0é"),
            .bytes([0, 255, 0]), .text(""), .bytes([]))
        let row = try database.first("SELECT * FROM t") { row in
            (
                row.isNull(0), row.integer(1), row.real(2), row.text(3), row.bytes(4), row.optionalText(5),
                row.optionalBytes(6)
            )
        }
        let found = try #require(row)
        #expect(found.0)
        #expect(found.1 == Int64.min)
        #expect(found.2 == 0.5)
        #expect(found.3 == "a\0é")
        #expect(found.4 == [0, 255, 0])
        #expect(found.5?.isEmpty == true)
        #expect(found.6?.isEmpty == true)
    }

    @Test("that several begin at once gets its log by all of them")
    func beginnings() async throws {
        for number in 0..<40 {
            let path = folder.path + "/\(number).sqlite"
            try await withThrowingTaskGroup(of: Void.self) { group in
                for _ in 0..<4 {
                    group.addTask {
                        let database = try Database(path)
                        try database.keepLog()
                        try database.transaction { () throws(PluginError) in
                            try database.execute("CREATE TABLE IF NOT EXISTS t(a); INSERT INTO t VALUES (1)")
                        }
                    }
                }
                try await group.waitForAll()
            }
            let count = try Database(path).first("SELECT count(*) FROM t") { $0.integer(0) }
            #expect(count == 4)
        }
    }

    @Test("undoes a transaction that throws, and keeps one that does not")
    func transactions() throws {
        let database = try Database(":memory:")
        try database.execute("CREATE TABLE t(a)")
        #expect(throws: PluginError.self) {
            try database.transaction { () throws(PluginError) in
                try database.run("INSERT INTO t VALUES (1)")
                try database.transaction { () throws(PluginError) in try database.run("INSERT INTO t VALUES (2)") }
                throw PluginError(.cancelled, "enough")
            }
        }
        #expect(!database.isInTransaction)
        try database.transaction { () throws(PluginError) in try database.run("INSERT INTO t VALUES (3)") }
        #expect(try database.rows("SELECT a FROM t") { $0.integer(0) } == [3])
    }

    @Test("says that a file is damaged, that it cannot be written, and that its folder is not there")
    func refusals() throws {
        let damaged = folder.path + "/damaged"
        try Data(repeating: 7, count: 8192).write(to: URL(filePath: damaged))
        let codes = [
            Self.code { try Database(damaged).execute("CREATE TABLE t(a)") },
            Self.code { _ = try Database(self.folder.path + "/none/at/all") },
            Self.code {
                let path = self.folder.path + "/fine"
                try Database(path).execute("CREATE TABLE t(a)")
                try Database(path, access: .readOnly).execute("CREATE TABLE u(a)")
            },
        ]
        #expect(codes == [.corrupt, .forbidden, .forbidden])
    }

    @Test("waits no longer than it was told for another writer")
    func locked() throws {
        let path = folder.path + "/shared"
        let (one, other) = (try Database(path), try Database(path, patience: 10))
        try one.execute("CREATE TABLE t(a)")
        try one.execute("BEGIN IMMEDIATE")
        let error = #expect(throws: PluginError.self) { try other.run("INSERT INTO t VALUES (1)") }
        #expect(error?.code == .busy)
        try one.execute("COMMIT")
        try other.run("INSERT INTO t VALUES (1)")
    }

    @Test("waits no longer than it was told where SQLite does not wait")
    func lockedLog() throws {
        let path = folder.path + "/shared"
        let (one, other) = (try Database(path), try Database(path, patience: 500))
        try one.execute("CREATE TABLE t(a)")
        try one.execute("BEGIN EXCLUSIVE")
        let clock = ContinuousClock()
        var error: PluginError?
        let time = clock.measure { error = #expect(throws: PluginError.self) { try other.keepLog() } }
        #expect(error?.code == .busy)
        // Who waits so long at each of its attempts needs a hundred times as long.
        #expect(time < .seconds(20))
        try one.execute("COMMIT")
        try other.keepLog()
    }

    private static func code(_ body: () throws -> Void) -> PluginError.Code? {
        do { try body() } catch { return (error as? PluginError)?.code }
        return nil
    }
}

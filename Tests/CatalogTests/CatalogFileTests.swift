import Foundation
import SQLite
import TestSupport
import Testing
import VitrineKit

@testable import Catalog

@Suite("The catalog's file")
struct CatalogFileTests {
    private let folder: TemporaryFolder
    private var path: String { folder.path + "/a/b/catalog.sqlite" }

    init() throws { folder = try TemporaryFolder() }

    @Test("is made with its folder for the user alone, and found again")
    func made() throws {
        let first = try Catalog.open(at: path, now: 1000)
        #expect(first.opening == .made)
        let source = try first.catalog.source("file:///x")
        let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
        #expect(mode == 0o600)
        let again = try Catalog.open(at: path, now: 1000)
        #expect(again.opening == .found)
        #expect(try again.catalog.source("file:///x") == source)
    }

    @Test("is replaced when it is no database, and the versions go on upwards")
    func damaged() throws {
        let before = try Catalog.open(at: path, now: 1000).catalog.version
        try Catalog.remove(path)
        try Data(repeating: 0x5A, count: 50_000).write(to: URL(filePath: path))
        let opened = try Catalog.open(at: path, now: 2000)
        guard case .replaced = opened.opening else {
            Issue.record("it is \(opened.opening)")
            return
        }
        #expect(try opened.catalog.version > before)
        #expect(try opened.catalog.changes(since: before) == .whole(version: opened.catalog.version))
    }

    @Test(
        "that many find damaged at once is replaced once, and nothing that they write is lost", .timeLimit(.minutes(10))
    )
    func race() async throws {
        for round in 0..<10 {
            let path = "\(folder.path)/\(round)/catalog.sqlite"
            try FileManager.default.createDirectory(
                atPath: "\(folder.path)/\(round)", withIntermediateDirectories: true)
            try Data(repeating: 0x5A, count: 50_000).write(to: URL(filePath: path))
            // Threads of their own, for they block; a lock of flock(2) belongs to whoever opened the file.
            let writers = (0..<8).map { number in
                Task.detached {
                    try await withCheckedThrowingContinuation { (done: CheckedContinuation<Bool, any Error>) in
                        Thread {
                            done.resume(
                                with: Result {
                                    let (catalog, opening) = try Catalog.open(at: path, now: 1000)
                                    _ = try catalog.source("file:///\(number)")
                                    if case .replaced = opening { return true }
                                    return false
                                })
                        }.start()
                    }
                }
            }
            var replaced = 0
            for writer in writers where try await writer.value { replaced += 1 }
            #expect(replaced == 1)
            let catalog = try Catalog.open(at: path, now: 1000).catalog
            #expect(try catalog.sources().map(\.uri) == (0..<8).map { "file:///\($0)" })
            #expect(try catalog.check().isEmpty)
        }
    }

    @Test("is opened and asked while another process writes, and is busy for who wants to write, too")
    func busy() throws {
        let source = try Catalog.open(at: path, now: 1000).catalog.source("file:///x")
        let other = try Database(path)
        try other.execute("BEGIN IMMEDIATE")
        let (catalog, opening) = try Catalog.open(at: path, now: 1000)
        #expect(opening == .found)
        #expect(try catalog.source("file:///x") == source)
        try catalog.wait(atMost: 10)
        #expect(
            try catalog.with { ledger throws(PluginError) in
                try ledger.database.first("PRAGMA busy_timeout") { $0.integer(0) }
            } == 10)
        let error = #expect(throws: PluginError.self) { try catalog.source("file:///y") }
        #expect(error?.code == .busy)
        try other.execute("ROLLBACK")
        #expect(try catalog.source("file:///y").id != source.id)
    }

    @Test("that turned out to be damaged is not deleted when another one stands in its place")
    func replacedByOthers() throws {
        let one = try Catalog.open(at: path, now: 1000).catalog
        let other = try Catalog.open(at: path, now: 1000).catalog
        try Catalog.removeDamaged(one)
        #expect(!FileManager.default.fileExists(atPath: path))
        _ = try Catalog.open(at: path, now: 2000).catalog.source("file:///x")
        try Catalog.removeDamaged(other)
        #expect(try Catalog.open(at: path, now: 3000).catalog.sources().map(\.uri) == ["file:///x"])
    }

    @Test("is replaced when its version or a table is not what it can be")
    func impossible() throws {
        for harm in ["PRAGMA user_version = -5", "PRAGMA user_version = 0", "DROP TABLE tally", "DROP TABLE item"] {
            let before = try Catalog.open(at: path, now: 1000).catalog
            _ = try before.source("file:///x")
            try Database(path).execute(harm)
            let opened = try Catalog.open(at: path, now: 2000)
            guard case .replaced = opened.opening else {
                Issue.record("after \(harm) it is \(opened.opening)")
                continue
            }
            #expect(try opened.catalog.sources().isEmpty && opened.catalog.check().isEmpty)
        }
    }

    @Test("of the version before is brought to the present one with all that is in it")
    func older() throws {
        let before = try Catalog.open(at: path, now: 1000).catalog
        _ = try before.source("file:///x")
        try Database(path).execute(
            CatalogFixture.toVersion4 + """
                DROP INDEX gone_age; DROP TRIGGER item_left; DROP TRIGGER item_renamed; DROP TABLE sized;
                ALTER TABLE stale DROP COLUMN size; PRAGMA user_version = 3;
                CREATE TRIGGER item_left AFTER DELETE ON item BEGIN SELECT 1; END;
                CREATE TRIGGER item_renamed AFTER UPDATE OF name ON item BEGIN SELECT 1; END;
                """)
        let opened = try Catalog.open(at: path, now: 2000)
        #expect(try opened.opening == .found && opened.catalog.sources().map(\.uri) == ["file:///x"])
        let indexes = try Database(path).rows("SELECT name FROM sqlite_schema WHERE type = 'index'") { $0.text(0) }
        #expect(indexes.contains("gone_age"))
    }

    @Test("that is no regular file is refused and left where it is", .timeLimit(.minutes(10)))
    func irregular() throws {
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        let asFolder = #expect(throws: PluginError.self) { try Catalog.open(at: path) }
        #expect(asFolder?.message.contains(path) == true)
        try FileManager.default.removeItem(atPath: path)
        try #require(mkfifo(path, 0o600) == 0)
        let asPipe = #expect(throws: PluginError.self) { try Catalog.open(at: path) }
        #expect(asPipe?.code == .notAFile)
        #expect(FileManager.default.fileExists(atPath: path))
    }

    @Test("tells its own errors from those of storages")
    func own() throws {
        let catalog = try Catalog.open(at: path, now: 1000).catalog
        let root = try catalog.folder(.root, in: catalog.source("file:///x"))
        #expect(!catalog.threw(PluginError(.corrupt, "the archive is damaged")))
        try Database(path).execute("DROP TABLE tally")
        let error = try #require(throws: PluginError.self) { try catalog.tallies(of: root.id) }
        #expect(catalog.threw(error))
    }

    @Test("of a newer version, or of another program, is refused and left as it is")
    func newer() throws {
        try FileManager.default.createDirectory(atPath: folder.path + "/a/b", withIntermediateDirectories: true)
        try Database(path).execute("PRAGMA application_id = 1449751666; PRAGMA user_version = 99; CREATE TABLE t(a)")
        let newer = #expect(throws: PluginError.self) { try Catalog.open(at: path) }
        #expect(newer?.code == .unsupported)
        #expect(newer?.message.contains("newer version") == true)
        try Database(path).execute("PRAGMA application_id = 5")
        #expect(throws: PluginError.self) { try Catalog.open(at: path) }
        #expect(try Database(path).first("PRAGMA user_version") { $0.integer(0) } == 99)
    }

    @Test("that a newer version changes meanwhile is written to no more, and loses nothing")
    func outrun() throws {
        let catalog = try Catalog.open(at: path, now: 1000).catalog
        let source = try catalog.source("file:///x")
        let version = try Database(path).first("PRAGMA user_version") { $0.integer(0) } ?? 0
        try Database(path).execute("CREATE TABLE later(a); PRAGMA user_version = \(version + 1)")
        let error = try #require(throws: PluginError.self) { try catalog.source("file:///y") }
        #expect(error.code == .unsupported && error.message.contains("newer version") && catalog.threw(error))
        #expect(throws: PluginError.self) { try catalog.note(.complete, of: source.id, now: 1) }
        // What it knows can be read all the same.
        #expect(try catalog.sources().map(\.uri) == ["file:///x"])
        try Database(path).execute("PRAGMA user_version = \(version)")
        _ = try catalog.source("file:///y")
        #expect(try catalog.sources().count == 2 && catalog.check().isEmpty)
    }

    @Test("that is damaged in the middle says so when it is read, and checks itself")
    func middle() throws {
        let catalog = try Catalog.open(at: path, now: 1000).catalog
        let source = try catalog.source("file:///x")
        let root = try catalog.folder(.root, in: source)
        let files = (0..<2000).map { CatalogFixture.file("a name that takes some room \($0)") }
        let whole = Catalog.WholeFolder(
            folder: root, listing: FolderListing(files: files), findings: FolderFindings(digest: nil))
        _ = try catalog.merge([whole], of: source.id, now: 1)
        #expect(try catalog.check().isEmpty)
        try Database(path).execute("PRAGMA wal_checkpoint(TRUNCATE)")
        let file = try FileHandle(forUpdating: URL(filePath: path))
        try file.seek(toOffset: 260_000)
        try file.write(contentsOf: Data(repeating: 0xFF, count: 60_000))
        try file.close()
        let damaged = try Catalog.open(at: path, now: 1000).catalog
        let findings = Result { try damaged.check() }
        switch findings {
        case .success(let lines): #expect(!lines.isEmpty)
        case .failure(let error): #expect((error as? PluginError)?.code == .corrupt)
        }
        let error = #expect(throws: PluginError.self) {
            for _ in try damaged.items(in: root.id, limit: 5000) {}
        }
        #expect(error?.code == .corrupt)
    }

    @Test("that changes while it is read without locks is called changed, not damaged, and is not mended")
    func frozen() throws {
        do {
            let catalog = try Catalog.open(at: path, now: 1000).catalog
            _ = try catalog.source("file:///x")
            try catalog.completeIndex()
        }
        var status = stat()
        try #require(stat(path, &status) == 0)
        let database = try Database(path, access: .immutable)
        let catalog = Catalog(
            path: path, status, ledger: try CatalogLedger(database), isReadOnly: true,
            frozen: FrozenFile(path, status, called: "the catalog"))
        try Data(repeating: 0xFF, count: Int(status.st_size) + 1).write(to: URL(filePath: path))
        let error = #expect(throws: PluginError.self) { try catalog.find(FindQuery("plain".utf8)) }
        #expect(error?.code == .changed, "\(error?.message ?? "")")
    }

    @Test("serves two who write at once")
    func two() async throws {
        let path = path
        let first = try Catalog.open(at: path, now: 1000).catalog
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<4 {
                group.addTask {
                    let catalog = try Catalog.open(at: path, now: 1000).catalog
                    let source = try catalog.source("file:///\(number)")
                    let root = try catalog.folder(.root, in: source)
                    for round in 0..<25 {
                        let files = (0...round).map { CatalogFixture.file("\($0)") }
                        let whole = Catalog.WholeFolder(
                            folder: root, listing: FolderListing(files: files),
                            findings: FolderFindings(digest: nil))
                        _ = try catalog.merge([whole], of: source.id, now: 1)
                    }
                }
            }
            try await group.waitForAll()
        }
        for source in try first.sources() { #expect(try first.counts(of: source.id) == [.pending: 25]) }
        #expect(try first.sources().count == 4)
        #expect(try first.check().isEmpty)
    }
}

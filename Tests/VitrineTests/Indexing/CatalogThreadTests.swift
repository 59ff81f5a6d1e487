import Foundation
import SQLite
import Synchronization
import TestSupport
import Testing
import VitrineKit

@testable import Catalog
@testable import Vitrine

/// A catalog that another process keeps locked holds up those who ask it, and nobody else.
@Suite(.timeLimit(.minutes(10))) struct CatalogThreadTests {
    @Test func `books that wait for another process leave the threads to others`() async throws {
        let folder = try TemporaryFolder()
        let path = folder.path + "/catalog.sqlite"
        let storage = Storage(source: try SourceURI("test:///top"), backend: Nothing(), seconds: 3600)
        // More than there are threads, each with a connection of its own.
        let books = try (0..<ProcessInfo.processInfo.activeProcessorCount + 2).map { _ in
            let catalog = try Catalog.open(at: path).catalog
            // Longer than a busy machine takes until the lock is given back.
            try catalog.with { ledger throws(PluginError) in
                try ledger.database.execute("PRAGMA busy_timeout = 300000")
            }
            let plan = try catalog.plan(FolderDigest(low: 1, high: 1))
            return RunBook(catalog, on: CatalogThread(), plan: plan)
        }
        let item = Item(
            storage: storage, path: try ItemPath("a"), entry: Entry(name: [0x61], kind: .file, size: 1),
            record: ItemID(rawValue: 1))
        let (report, written) = (ItemReport(item, .valid([])), item)
        let other = try Database(path)
        try other.execute("BEGIN IMMEDIATE")
        let ended = Count()
        await withTaskGroup(of: Void.self) { group in
            for book in books {
                group.addTask {
                    await book.add(report, written)
                    await book.flush()
                    ended.add()
                }
            }
            // These are taken up after the books, on the same threads.
            for _ in 0..<5 { await Task.detached { await Task.yield() }.value }
            #expect(ended.value == 0)
            #expect(throws: Never.self) { try other.execute("ROLLBACK") }
        }
        for book in books { #expect(await book.failure == nil) }
    }

    @Test func `a book that others left no time to write in goes on when they have ended`() async throws {
        let folder = try TemporaryFolder()
        let catalog = try Catalog.open(at: folder.path + "/catalog.sqlite").catalog
        let storage = Storage(source: try SourceURI("test:///top"), backend: Nothing(), seconds: 3600)
        let book = RunBook(catalog, on: CatalogThread(), plan: try catalog.plan(FolderDigest(low: 1, high: 1)))
        let item = Item(
            storage: storage, path: try ItemPath("a"), entry: Entry(name: [0x61], kind: .file, size: 1),
            record: ItemID(rawValue: 1))
        try catalog.with { ledger throws(PluginError) in try ledger.database.execute("PRAGMA busy_timeout = 10") }
        let other = try Database(catalog.path)
        try other.execute("BEGIN IMMEDIATE")
        await book.add(ItemReport(item, .valid([])), item)
        await book.flush()
        #expect(await book.takeFailure()?.code == .busy)
        #expect(await book.failure == nil)
        try other.execute("ROLLBACK")
        await book.add(ItemReport(item, .valid([])), item)
        await book.flush()
        #expect(await book.takeFailure() == nil)
    }

    private final class Count: Sendable {
        private let number = Mutex(0)
        func add() { number.withLock { $0 += 1 } }
        var value: Int { number.withLock { $0 } }
    }

    private struct Nothing: StorageBackend {
        init() {}
        init(source: SourceURI, settings: BackendSettings) async throws(PluginError) {}
        func list(_ folder: ItemPath) -> any AsyncSequence<[Entry], PluginError> & Sendable { NoEntries() }
        func stat(_ path: ItemPath) async throws(PluginError) -> Entry {
            throw PluginError(.notFound, "nothing is here")
        }
        func open(_ path: ItemPath) async throws(PluginError) -> any ByteSource {
            throw PluginError(.notFound, "nothing is here")
        }

        struct NoEntries: AsyncSequence, AsyncIteratorProtocol, Sendable {
            typealias Element = [Entry]
            typealias Failure = PluginError
            func next(isolation: isolated (any Actor)?) async throws(PluginError) -> [Entry]? { nil }
            func makeAsyncIterator() -> Self { self }
        }
    }
}

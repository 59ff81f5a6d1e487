import Foundation
import TestSupport
import Testing
import VitrineKit
import VitrineTesting

@testable import Vitrine

/// The pipeline and items of storages that have no files of this machine.
@Suite(.timeLimit(.minutes(10))) struct PipelineStorageTests {
    let scratch: TemporaryFolder
    let pipeline: PreviewPipeline

    init() throws {
        scratch = try TemporaryFolder()
        pipeline = try PreviewPipeline(PipelineTests.configuration(scratch))
    }

    @Test func `a storage can be exchanged while it is used`() async throws {
        let path = try ItemPath("a")
        let source = try SourceURI("test:///top")
        let first = try await InMemoryBackend(source: source, settings: BackendSettings())
        first.put(path, content: [1])
        let second = try await InMemoryBackend(source: source, settings: BackendSettings())
        second.put(path, content: [2, 2])
        let storage = Storage(source: source, backend: first, seconds: 3600)
        let open = try await storage.open(path)
        storage.exchange(for: second)
        #expect(try await open.read(at: 0, count: 10) == [1])
        #expect(try await storage.open(path).read(at: 0, count: 10) == [2, 2])
    }

    /// A large item of a storage without descriptors, which tells its renderer what to do.
    private func remote(_ command: String, size: Int) async throws -> Item {
        let source = try SourceURI("test:///top")
        let backend = try await InMemoryBackend(source: source, settings: BackendSettings())
        let path = try ItemPath("a")
        let head = Array("VITRINE-HOSTILE\n\(command)\n".utf8)
        backend.put(path, content: head + [UInt8](repeating: 0, count: size - head.count))
        let storage = Storage(source: source, backend: backend, seconds: 3600)
        return Item(storage: storage, path: path, entry: try await storage.stat(path))
    }

    @Test func `a large item of a storage without descriptors is read by ranges`() async throws {
        let item = try await remote("range 5000000 100000", size: 9_000_000)
        let report = await pipeline.process(item, RenderOrder(sizes: [.large]))
        guard case .made = report.outcome else {
            Issue.record("it was not rendered: \(report.outcome)")
            return
        }
        #expect(report.traffic?.requests == 2)
        #expect(report.traffic?.bytes == 196_608)
        await pipeline.end()
    }

    @Test func `what needs more than may be read of it is no failure to be remembered`() async throws {
        let item = try await remote("range 5000000 1000000", size: 9_000_000)
        var order = RenderOrder(sizes: [.large])
        order.limits.perItem = 500_000
        let report = await pipeline.process(item, order)
        guard case .failed(let error, false) = report.outcome else {
            Issue.record("it was rendered: \(report.outcome)")
            return
        }
        #expect(error.code == .overBudget)
        #expect(report.traffic?.requests == 1)
        guard case .made = await pipeline.process(item, RenderOrder(sizes: [.large])).outcome else {
            Issue.record("it was not tried again")
            return
        }
        await pipeline.end()
    }

    @Test func `a small item comes whole with one request`() async throws {
        let item = try await remote("range 100000 50000", size: 200_000)
        let report = await pipeline.process(item, RenderOrder(sizes: [.large]))
        #expect(report.traffic?.requests == 1)
        await pipeline.end()
    }

    @Test func `an item of a storage that tells no sizes is copied, up to a limit`() async throws {
        let source = try SourceURI("test:///top")
        let backend = try await InMemoryBackend(source: source, settings: BackendSettings())
        let path = try ItemPath("a")
        backend.put(path, content: Array("VITRINE-HOSTILE\nok\n".utf8))
        let storage = Storage(source: source, backend: SizelessBackend(backend: backend), seconds: 3600)
        let item = Item(storage: storage, path: path, entry: try await storage.stat(path))
        let report = await pipeline.process(item, RenderOrder(sizes: [.large]))
        guard case .made = report.outcome else {
            Issue.record("it was not rendered: \(report.outcome)")
            return
        }
        let open = try await OpenItem(item, pipeline.blocks, ReadLimits())
        // Half a copy is none, for the next renderer either.
        for _ in 0..<2 { await #expect(throws: PluginError.self) { try await open.descriptor(limit: 4) } }
        // Nor may a worker change it: another renderer would draw that.
        #expect(fcntl(try await open.descriptor(limit: 1000), F_GETFL) & O_ACCMODE == O_RDONLY)
        await pipeline.end()
    }

    @Test(arguments: ["ok", "error corrupt it is cut off", "error empty it has no page", "error io it became shorter"])
    func `a file that changes while it is read is neither kept nor called damaged`(command: String) async throws {
        let source = try SourceURI("test:///top")
        let backend = try await InMemoryBackend(source: source, settings: BackendSettings())
        let path = try ItemPath("a")
        backend.put(path, content: Array("VITRINE-HOSTILE\n\(command)\n".utf8))
        let storage = Storage(source: source, backend: ChangingBackend(backend, path), seconds: 3600)
        let item = Item(storage: storage, path: path, entry: try await storage.stat(path))
        let report = await pipeline.process(item, RenderOrder(sizes: [.large]))
        guard case .failed(let error, _) = report.outcome else {
            Issue.record("it was kept: \(report.outcome)")
            return
        }
        #expect(error.code == .changed)
        #expect(!FileManager.default.fileExists(atPath: scratch.path + "/cache/thumbnails"))
        await pipeline.end()
    }

    @Test func `an archive that changes while it is read is not called damaged`() async throws {
        let source = try SourceURI("test:///top")
        let backend = try await InMemoryBackend(source: source, settings: BackendSettings())
        let path = try ItemPath("a.zip")
        // The beginning of one, as of a file that is still copied.
        backend.put(path, content: Array("PK\u{3}\u{4}\u{14}\u{0}".utf8))
        for isChanging in [false, true] {
            let storage = Storage(
                source: source, backend: isChanging ? ChangingBackend(backend, path) : backend, seconds: 3600)
            let item = Item(storage: storage, path: path, entry: try await storage.stat(path))
            let address = try ArchiveAddress(archive: SourceURI(item.uri), path: [])
            let archive = OpenArchive(
                address.source, in: storage, at: path, pipeline.containers, keepsMembers: false, Urgency(.interactive))
            let error = try await #require(throws: PluginError.self) { try await archive.contents() }
            #expect(error.code == (isChanging ? .changed : .corrupt), "\(error)")
        }
        await pipeline.end()
    }

    /// Tells no sizes, as some feeds do.
    private struct SizelessBackend: StorageBackend {
        struct File: ByteSource {
            let file: any ByteSource
            var entry: Entry { sizeless(file.entry) }
            func read(at offset: Int64, count: Int) async throws(PluginError) -> [UInt8] {
                try await file.read(at: offset, count: count)
            }
            func current() async throws(PluginError) -> Entry { sizeless(try await file.current()) }
        }

        let backend: InMemoryBackend

        init(backend: InMemoryBackend) { self.backend = backend }
        init(source: SourceURI, settings: BackendSettings) async throws(PluginError) {
            self.init(backend: try await InMemoryBackend(source: source, settings: settings))
        }
        func list(_ folder: ItemPath) -> any AsyncSequence<[Entry], PluginError> & Sendable { backend.list(folder) }
        func stat(_ path: ItemPath) async throws(PluginError) -> Entry { sizeless(try await backend.stat(path)) }
        func open(_ path: ItemPath) async throws(PluginError) -> any ByteSource {
            File(file: try await backend.open(path))
        }
    }

    /// Changes the file as soon as it was opened.
    private struct ChangingBackend: StorageBackend {
        let backend: InMemoryBackend
        let path: ItemPath

        init(_ backend: InMemoryBackend, _ path: ItemPath) {
            self.backend = backend
            self.path = path
        }
        init(source: SourceURI, settings: BackendSettings) async throws(PluginError) {
            self.init(try await InMemoryBackend(source: source, settings: settings), .root)
        }
        func list(_ folder: ItemPath) -> any AsyncSequence<[Entry], PluginError> & Sendable { backend.list(folder) }
        func stat(_ path: ItemPath) async throws(PluginError) -> Entry { try await backend.stat(path) }
        func open(_ path: ItemPath) async throws(PluginError) -> any ByteSource {
            let source = try await backend.open(path)
            backend.put(
                path, content: Array("VITRINE-HOSTILE\nok again\n".utf8), modified: Timestamp(seconds: 1_800_000_000))
            return source
        }
    }
}

private func sizeless(_ entry: Entry) -> Entry {
    var entry = entry
    entry.size = nil
    return entry
}

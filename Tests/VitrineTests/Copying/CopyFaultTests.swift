import Synchronization
import Testing
import VitrineKit
import VitrineTesting

@testable import Vitrine

/// Copying from and to storages in memory that misbehave.
@Suite("Copying files that make trouble", .timeLimit(.minutes(10)))
struct CopyFaultTests {
    private let target: InMemoryBackend

    init() async throws {
        target = try await InMemoryBackend(source: SourceURI("memory:///"), settings: BackendSettings())
    }

    private func source(_ files: [String: [UInt8]]) async throws -> InMemoryBackend {
        let backend = try await InMemoryBackend(source: SourceURI("memory:///"), settings: BackendSettings())
        for (name, content) in files { backend.put(try ItemPath(name), content: content) }
        return backend
    }

    /// Copies all of a storage into a folder `A`.
    private func copy(
        _ backend: any StorageBackend, _ options: CopyOptions = CopyOptions(), to other: (any WritableBackend)? = nil
    ) async throws -> CopySummary {
        let from = Storage(source: try SourceURI("from://host/A"), backend: backend, seconds: 3600)
        let to = Storage(source: try SourceURI("to://host"), backend: other ?? target, seconds: 3600)
        let ledger = CopyLedger(destination: to.source.text, hub: ProgressHub())
        let root = CopySource(
            storage: from, path: .root, entry: try await from.stat(.root), name: Array("A".utf8))
        await CopyRun(to: to, try to.writing(), options, ledger).run([root])
        return await ledger.finish(interrupted: Task.isCancelled)
    }

    private func names(_ folder: String = "A") async throws -> [String] {
        var names: [String] = []
        for try await page in target.list(try ItemPath(folder)) {
            names += page.map { String(decoding: $0.name, as: UTF8.self) }
        }
        return names.sorted()
    }

    @Test("refuses names that lead elsewhere")
    func names() async throws {
        let backend = Odd(try await source(["a": [1]])) {
            $0.names = [[0x2E, 0x2E], Array("x/y".utf8), [], Array("a".utf8)]
        }
        let summary = try await copy(backend)
        #expect(summary.copied == 1 && summary.failed == 3)
        #expect(try await names() == ["a"])
        #expect(try await names("") == ["A"])
    }

    @Test("begins a file anew that changes once, and gives up one that goes on changing", arguments: [1, 100])
    func changing(times: Int) async throws {
        let backend = Odd(try await source(["a": [UInt8](repeating: 1, count: 3 << 20)])) { $0.changes = times }
        let summary = try await copy(backend)
        #expect(summary.copied == (times == 1 ? 1 : 0))
        #expect(summary.failures.map(\.error.code) == (times == 1 ? [] : [.changed]))
        #expect(try await names() == (times == 1 ? ["a"] : []))
    }

    @Test("puts nothing in place whose checksum is another one than its storage says")
    func checksum() async throws {
        let backend = Odd(try await source(["a": [1, 2, 3]])) {
            $0.checksum = Checksum(.md5, [UInt8](repeating: 0, count: 16))
        }
        let summary = try await copy(backend)
        #expect(summary.copied == 0 && summary.failed == 1)
        #expect(try await names() == [])
        let right = Checksum(.md5, hexadecimal: "5289df737df57326fcdd22597afb1fac")
        let good = Odd(try await source(["a": [1, 2, 3]])) { $0.checksum = right }
        #expect(try await copy(good).copied == 1)
    }

    @Test("stops when the destination is full, and counts what is left")
    func full() async throws {
        var files: [String: [UInt8]] = [:]
        for number in 0..<20 { files["\(number)"] = [UInt8](repeating: 1, count: 1000) }
        target.limit(room: 5500)
        var options = CopyOptions()
        options.jobs = 1
        let summary = try await copy(try await source(files), options)
        #expect(summary.copied == 5 && summary.failed == 1 && summary.stopped?.code == .noSpace)
        #expect(summary.left > 0 && !summary.isComplete)
        #expect(try await names().count == 5)
    }

    @Test("goes on with a large file where the connection broke")
    func resumed() async throws {
        let content = (0..<(5 << 20)).map { UInt8($0 % 251) }
        let backend = Odd(try await source(["a": content])) { $0.breaksAt = 3 << 20 }
        let first = try await copy(backend)
        #expect(first.failed == 1 && first.failures.first?.error.code == .offline)
        #expect(try await names() == [])
        backend.change { $0.breaksAt = nil }
        let second = try await copy(backend)
        #expect(second.copied == 1 && second.reused == 3 << 20)
        let file = try await target.open(try ItemPath("A/a"))
        #expect(try await file.read(at: 0, count: content.count + 1) == content)
        // A third time there is nothing to do.
        #expect(try await copy(backend).present == 1)
    }

    @Test("finds a file again whose size nobody told")
    func unknownSize() async throws {
        let backend = Odd(try await source(["a": [1, 2, 3]])) { $0.hidesSizes = true }
        #expect(try await copy(backend).copied == 1)
        #expect(try await copy(backend).present == 1)
        #expect(try await names() == ["a"])
    }

    @Test("copies once what is read back as something else, and says so")
    func corrupt() async throws {
        var options = CopyOptions()
        options.verifies = true
        let summary = try await copy(try await source(["a": [1, 2, 3]]), options, to: OddTarget(target, folds: false))
        #expect(summary.copied == 0 && summary.failures.map(\.error.code) == [.corrupt])
        #expect(try await names() == ["a"])
    }

    @Test("does not replace its own copy where names that differ in case are one")
    func folding() async throws {
        // Of no size that a source has: all have the same time, and size and time make a file one that is there already.
        target.put(try ItemPath("a/readme"), content: [9, 9, 9, 9])
        var options = CopyOptions()
        options.clash = .replace
        let files = try await source(["README": [1, 2, 3], "readme": [4, 5], "Readme": [6]])
        #expect(try await copy(files, options, to: OddTarget(target, folds: true)).copied == 3)
        #expect(try await names("a") == ["readme", "readme(1)", "readme(2)"])
    }

    @Test("leaves out the second of two files of one name")
    func skipping() async throws {
        let ledger = CopyLedger(destination: "to://host", hub: ProgressHub())
        let to = Storage(source: try SourceURI("to://host"), backend: target, seconds: 3600)
        var options = CopyOptions()
        options.clash = .skip
        target.put(try ItemPath("folder"), content: [1])
        var sources: [CopySource] = []
        for number in 1...3 {
            let path = try ItemPath("a")
            let backend = try await source(["a": [UInt8](repeating: 1, count: number)])
            let from = Storage(source: try SourceURI("from\(number)://host"), backend: backend, seconds: 3600)
            sources.append(CopySource(storage: from, path: path, entry: try await from.stat(path), name: path.bytes))
            if number == 1 {
                let entry = try await from.stat(.root)
                sources.append(CopySource(storage: from, path: .root, entry: entry, name: Array("folder".utf8)))
            }
        }
        await CopyRun(to: to, try to.writing(), options, ledger).run(sources)
        let summary = await ledger.finish(interrupted: false)
        #expect(summary.copied == 1 && summary.skipped == 3 && summary.failed == 0)
        #expect(try await names("") == ["a", "folder"])
    }

    @Test("adds up sizes that cannot be")
    func hugeSizes() async {
        let ledger = CopyLedger(destination: "to://host", hub: ProgressHub())
        for size: Int64 in [.max, .max, -5, .min] {
            await ledger.found(size: size)
            let report = CopyReport(
                destination: "to://host", from: "\(size)", uri: "to://host", outcome: .copied(reused: size), size: size)
            await ledger.ended(report)
        }
        let summary = await ledger.finish(interrupted: false)
        #expect(summary.bytes == .max && summary.copied == 4)
    }

    @Test("leaves nothing that can be seen when it is stopped")
    func cancelled() async throws {
        let (reached, continuation) = AsyncStream<Void>.makeStream()
        let backend = Odd(try await source(["a": [UInt8](repeating: 1, count: 3 << 20)])) {
            $0.waits = (1 << 20, continuation)
        }
        let work = Task { try await copy(backend) }
        for await _ in reached { break }
        work.cancel()
        let summary = try await work.value
        #expect(summary.wasInterrupted && summary.copied == 0 && summary.left == 1 && summary.failed == 0)
        #expect(try await names() == [])
    }
}

/// A storage in memory that misbehaves.
private final class Odd: ChecksumBackend {
    struct Ways: Sendable {
        /// What every folder is said to hold.
        var names: [[UInt8]]?
        /// How often the file is another one once it was read.
        var changes = 0
        var checksum: Checksum?
        var hidesSizes = false
        /// From here on nothing can be read.
        var breaksAt: Int64?
        /// Whoever reads from here on waits until he is stopped; somebody is told.
        var waits: (offset: Int64, AsyncStream<Void>.Continuation)?
    }

    private let memory: InMemoryBackend
    private let ways: Mutex<Ways>

    init(_ memory: InMemoryBackend, _ set: (inout Ways) -> Void) {
        self.memory = memory
        var ways = Ways()
        set(&ways)
        self.ways = Mutex(ways)
    }

    init(source: SourceURI, settings: BackendSettings) async throws(PluginError) {
        memory = try await InMemoryBackend(source: source, settings: settings)
        ways = Mutex(Ways())
    }

    func change(_ set: (inout Ways) -> Void) { ways.withLock { set(&$0) } }

    func list(_ folder: ItemPath) -> any AsyncSequence<[Entry], PluginError> & Sendable {
        guard let names = ways.withLock({ $0.names }) else { return memory.list(folder) }
        return OnePage(entries: names.map { Entry(name: $0, kind: .file, size: 1) })
    }

    func stat(_ path: ItemPath) async throws(PluginError) -> Entry { try await memory.stat(path) }

    func checksums(of path: ItemPath) async throws(PluginError) -> [Checksum] {
        ways.withLock { $0.checksum.map { [$0] } ?? [] }
    }

    func open(_ path: ItemPath) async throws(PluginError) -> any ByteSource {
        File(file: try await memory.open(path), storage: self)
    }

    private struct File: ByteSource {
        let file: any ByteSource
        let storage: Odd
        var entry: Entry {
            var entry = file.entry
            if storage.ways.withLock({ $0.hidesSizes }) { entry.size = nil }
            return entry
        }

        func read(at offset: Int64, count: Int) async throws(PluginError) -> [UInt8] {
            let (breaksAt, waits) = storage.ways.withLock { ($0.breaksAt, $0.waits) }
            if let breaksAt, offset >= breaksAt { throw PluginError(.offline, "the connection broke") }
            if let waits, offset >= waits.offset {
                waits.1.yield()
                let (nothing, end) = AsyncStream<Void>.makeStream()
                for await _ in nothing {}
                withExtendedLifetime(end) {}
                throw PluginError(.cancelled, "stopped")
            }
            return try await file.read(at: offset, count: count)
        }

        func current() async throws(PluginError) -> Entry {
            var now = try await file.current()
            if storage.ways.withLock({ $0.hidesSizes }) { now.size = nil }
            let isOther = storage.ways.withLock { ways in
                ways.changes -= 1
                return ways.changes >= 0
            }
            if isOther { now.modified = Timestamp(seconds: 1) }
            return now
        }
    }

    private struct OnePage: AsyncSequence, Sendable {
        let entries: [Entry]

        struct AsyncIterator: AsyncIteratorProtocol {
            var entries: [Entry]?

            mutating func next(
                isolation actor: isolated (any Actor)? = #isolation
            ) async throws(PluginError) -> [Entry]? {
                defer { entries = nil }
                return entries
            }
        }

        func makeAsyncIterator() -> AsyncIterator { AsyncIterator(entries: entries) }
    }
}

import Testing
import VitrineKit
import VitrineTesting

@Suite struct WritableConformanceTests {
    private func memory() async throws -> InMemoryBackend {
        try await InMemoryBackend(source: SourceURI("test:///"), settings: BackendSettings())
    }

    @Test func memoryConforms() async throws {
        let backend = try await memory()
        let small = try await memory()
        small.limit(room: 1000)
        let suite = WritableConformance(large: 100_000, small: { .init(small, tooMany: 100_000) }) { backend }
        let violations = await suite.violations()
        #expect(violations == [], "\(violations)")
    }

    @Test func findsWhatIsWrong() async throws {
        let backend = Careless(try await memory())
        let suite = WritableConformance(large: 100_000) { backend }
        let rules = Set(await suite.violations().map(\.rule))
        for rule in [
            "what is half-written is not listed", "a file that is there is not replaced",
            "a file stays until it is replaced",
            "what is abandoned leaves nothing",
        ] { #expect(rules.contains(rule), "\(rule)") }
    }
}

/// Writes in place, as many programs do.
private struct Careless: WritableBackend {
    let memory: InMemoryBackend
    var writing: WritingAbilities { WritingAbilities() }

    init(_ memory: InMemoryBackend) { self.memory = memory }

    init(source: SourceURI, settings: BackendSettings) async throws(PluginError) {
        memory = try await InMemoryBackend(source: source, settings: settings)
    }

    func list(_ folder: ItemPath) -> any AsyncSequence<[Entry], PluginError> & Sendable { memory.list(folder) }
    func stat(_ path: ItemPath) async throws(PluginError) -> Entry { try await memory.stat(path) }
    func open(_ path: ItemPath) async throws(PluginError) -> any ByteSource { try await memory.open(path) }
    func makeFolder(_ path: ItemPath) async throws(PluginError) { try await memory.makeFolder(path) }

    func write(_ path: ItemPath, _ draft: FileDraft) async throws(PluginError) -> any WriteTransaction {
        memory.put(path, content: [])
        return InPlace(path: path, memory: memory)
    }

    private struct InPlace: WriteTransaction {
        let path: ItemPath
        let memory: InMemoryBackend
        var kept: Int64 { 0 }

        func append(_ bytes: [UInt8], at offset: Int64) async throws(PluginError) {
            let file = try await memory.open(path)
            memory.put(path, content: try await file.read(at: 0, count: 1 << 24) + bytes)
        }

        func commit(_ condition: WriteCondition, content: [Checksum]) async throws(PluginError) -> WrittenFile {
            WrittenFile()
        }

        func abandon() async {}
    }
}

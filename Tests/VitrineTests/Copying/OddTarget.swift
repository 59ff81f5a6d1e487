import VitrineKit
import VitrineTesting

/// A storage in memory that is written to and does not give back what it was given.
final class OddTarget: WritableBackend {
    let memory: InMemoryBackend
    /// Whether names that differ in case alone are one.
    let folds: Bool

    init(_ memory: InMemoryBackend, folds: Bool) { (self.memory, self.folds) = (memory, folds) }

    init(source: SourceURI, settings: BackendSettings) async throws(PluginError) {
        (memory, folds) = (try await InMemoryBackend(source: source, settings: settings), false)
    }

    var writing: WritingAbilities { memory.writing }

    private func own(_ path: ItemPath) throws(PluginError) -> ItemPath {
        folds ? try ItemPath(String(decoding: path.bytes, as: UTF8.self).lowercased()) : path
    }

    func list(_ folder: ItemPath) -> any AsyncSequence<[Entry], PluginError> & Sendable { memory.list(folder) }
    func stat(_ path: ItemPath) async throws(PluginError) -> Entry { try await memory.stat(try own(path)) }
    func makeFolder(_ path: ItemPath) async throws(PluginError) { try await memory.makeFolder(try own(path)) }

    func write(_ path: ItemPath, _ draft: FileDraft) async throws(PluginError) -> any WriteTransaction {
        try await memory.write(try own(path), draft)
    }

    func open(_ path: ItemPath) async throws(PluginError) -> any ByteSource {
        if !folds { memory.put(path, content: [0, 0, 0]) }
        return try await memory.open(try own(path))
    }
}

import Synchronization
public import VitrineKit

/// Files in memory, for tests of what uses a storage: they can be added, changed and removed at any time.
///
/// Passes ``BackendConformance`` and ``WritableConformance``.
public final class InMemoryBackend: StorageBackend {
    struct File {
        var entry: Entry
        var content: [UInt8]
    }

    let files = Mutex<[ItemPath: File]>([:])
    let parts = Mutex(Parts())

    /// Makes an empty storage.
    /// - Parameters:
    ///   - source: any URI; it is not used.
    ///   - settings: not used.
    public init(source: SourceURI, settings: BackendSettings) async throws(PluginError) {}

    /// Makes a storage that holds a sample.
    public init(_ sample: BackendSample) {
        for node in sample.nodes { put(node.path, content: node.content) }
    }

    /// Adds a file or folder, or replaces what is there.
    /// - Parameters:
    ///   - path: where; the folders above it are added where they are missing.
    ///   - content: its bytes; `nil` for a folder.
    ///   - modified: when it changed.
    public func put(_ path: ItemPath, content: [UInt8]?, modified: Timestamp = Timestamp(seconds: 1_700_000_000)) {
        files.withLock { files in
            var entry = Entry(name: path.name, kind: content == nil ? .folder : .file, modified: modified)
            entry.size = content.map { Int64($0.count) }
            files[path] = File(entry: entry, content: content ?? [])
            var folder = path.parent
            while let missing = folder, !missing.isRoot, files[missing] == nil {
                files[missing] = File(entry: Entry(name: missing.name, kind: .folder, modified: modified), content: [])
                folder = missing.parent
            }
        }
    }

    /// Removes a file or an empty folder; does nothing when it is not there.
    public func remove(_ path: ItemPath) { files.withLock { _ = $0.removeValue(forKey: path) } }

    /// Lists a folder in pages of 512.
    public func list(_ folder: ItemPath) -> any AsyncSequence<[Entry], PluginError> & Sendable {
        Pages(storage: self, folder: folder)
    }

    /// What a path is.
    public func stat(_ path: ItemPath) async throws(PluginError) -> Entry { try file(path).entry }

    /// Opens a file; what is read is what it holds at that moment.
    public func open(_ path: ItemPath) async throws(PluginError) -> any ByteSource {
        let file = try file(path)
        guard file.entry.kind == .file else { throw PluginError(.notAFile, "'\(path)' is a folder, not a file") }
        return Open(entry: file.entry, content: file.content, path: path, storage: self)
    }

    func file(_ path: ItemPath) throws(PluginError) -> File {
        if path.isRoot { return File(entry: Entry(name: [], kind: .folder), content: []) }
        guard let file = files.withLock({ $0[path] }) else {
            throw PluginError(.notFound, "there is no '\(path)' in this storage")
        }
        return file
    }

    private func children(_ folder: ItemPath) throws(PluginError) -> [Entry] {
        guard try file(folder).entry.kind == .folder else {
            throw PluginError(.notAFile, "'\(folder)' is a file, not a folder")
        }
        return files.withLock { files in files.filter { $0.key.parent == folder }.map(\.value.entry) }
    }

    private struct Pages: AsyncSequence, Sendable {
        let storage: InMemoryBackend
        let folder: ItemPath

        struct AsyncIterator: AsyncIteratorProtocol {
            let pages: Pages
            var rest: ArraySlice<Entry>?

            mutating func next(
                isolation actor: isolated (any Actor)? = #isolation
            ) async throws(PluginError) -> [Entry]? {
                guard !Task.isCancelled else { throw PluginError(.cancelled, "the listing was stopped") }
                var left = if let rest { rest } else { try pages.storage.children(pages.folder)[...] }
                let page = Array(left.prefix(512))
                left = left.dropFirst(512)
                rest = left
                return page.isEmpty ? nil : page
            }
        }

        func makeAsyncIterator() -> AsyncIterator { AsyncIterator(pages: self) }
    }

    private struct Open: ByteSource {
        let entry: Entry
        let content: [UInt8]
        let path: ItemPath
        let storage: InMemoryBackend

        func read(at offset: Int64, count: Int) async throws(PluginError) -> [UInt8] {
            try checkRange(at: offset, count: count)
            return Array(content.dropFirst(Int(clamping: offset)).prefix(count))
        }

        func current() async throws(PluginError) -> Entry { try storage.file(path).entry }
    }
}

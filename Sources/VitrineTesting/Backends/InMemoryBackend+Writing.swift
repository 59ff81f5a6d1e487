import Synchronization
public import VitrineKit

extension InMemoryBackend: WritableBackend {
    /// What is being written.
    struct Parts: Sendable {
        /// By their tokens.
        var kept: [String: [UInt8]] = [:]
        /// How many bytes fit in.
        var room: Int64 = .max
    }

    /// Files are resumed and keep their times.
    public var writing: WritingAbilities {
        var abilities = WritingAbilities()
        abilities.resumes = true
        abilities.keepsTimes = true
        return abilities
    }

    /// Lets no more than so many bytes be written from now on.
    public func limit(room: Int64) { parts.withLock { $0.room = room } }

    /// Makes a folder.
    public func makeFolder(_ path: ItemPath) async throws(PluginError) {
        try checkFolder(above: path)
        let isNew = files.withLock { files in
            if path.isRoot || files[path] != nil { return false }
            files[path] = File(entry: Entry(name: path.name, kind: .folder), content: [])
            return true
        }
        if !isNew { throw PluginError(.exists, "there is a '\(path)' already") }
    }

    /// Begins a file, which lies beside the others until it is whole.
    public func write(_ path: ItemPath, _ draft: FileDraft) async throws(PluginError) -> any WriteTransaction {
        try checkFolder(above: path)
        guard draft.size ?? 0 <= parts.withLock({ $0.room }) else { throw Self.full(path) }
        return Draft(path, draft, in: self)
    }

    private func checkFolder(above path: ItemPath) throws(PluginError) {
        guard let folder = path.parent else { throw PluginError(.exists, "the root is there already") }
        guard try file(folder).entry.kind == .folder else {
            throw PluginError(.notAFile, "'\(folder)' is a file, not a folder")
        }
    }

    static func full(_ path: ItemPath) -> PluginError {
        PluginError(.noSpace, "cannot write '\(path)': there is no room")
    }

    /// A file that is being written.
    private final class Draft: WriteTransaction {
        let kept: Int64
        private let path: ItemPath
        private let draft: FileDraft
        private let storage: InMemoryBackend
        /// `nil` once it has ended.
        private let content: Mutex<[UInt8]?>

        init(_ path: ItemPath, _ draft: FileDraft, in storage: InMemoryBackend) {
            let part = draft.token.flatMap { token in storage.parts.withLock { $0.kept.removeValue(forKey: token) } }
            let usable = part.flatMap { $0.count <= draft.size ?? 0 ? $0 : nil } ?? []
            (self.path, self.draft, self.storage) = (path, draft, storage)
            kept = Int64(usable.count)
            content = Mutex(usable)
        }

        deinit { keep() }

        func append(_ bytes: [UInt8], at offset: Int64) async throws(PluginError) {
            guard !Task.isCancelled else { throw PluginError(.cancelled, "writing '\(path)' was stopped") }
            try content.withLock { (content) throws(PluginError) in
                guard let count = content?.count, Int64(count) == offset, !bytes.isEmpty,
                    Int64(bytes.count) <= (draft.size ?? .max) - offset
                else { throw PluginError(.invalidArgument, "these bytes of '\(path)' are not what comes next") }
                let hasRoom = storage.parts.withLock { parts in
                    guard parts.room >= bytes.count else { return false }
                    parts.room -= Int64(bytes.count)
                    return true
                }
                guard hasRoom else { throw InMemoryBackend.full(path) }
                content?.append(contentsOf: bytes)
            }
        }

        func commit(_ condition: WriteCondition, content sums: [Checksum]) async throws(PluginError) -> WrittenFile {
            try content.withLock { (content) throws(PluginError) in
                guard let whole = content, draft.size ?? Int64(whole.count) == Int64(whole.count) else {
                    throw PluginError(.invalidArgument, "'\(path)' is not whole yet")
                }
                let isPlaced = storage.files.withLock { files in
                    let old = files[path]
                    if old != nil, condition == .ifAbsent || old?.entry.kind != .file { return false }
                    var entry = Entry(name: path.name, kind: .file, size: Int64(whole.count), modified: draft.modified)
                    entry.contentType = draft.contentType
                    files[path] = File(entry: entry, content: whole)
                    return true
                }
                guard isPlaced else { throw PluginError(.exists, "there is a '\(path)' already") }
                content = nil
            }
            return WrittenFile()
        }

        func suspend() async { keep() }

        func abandon() async {
            content.withLock { content in
                let freed = content?.count ?? 0
                storage.parts.withLock { $0.room += min(Int64(freed), .max - $0.room) }
                content = nil
            }
        }

        private func keep() {
            content.withLock { content in
                if let token = draft.token, let part = content {
                    storage.parts.withLock { $0.kept[token] = part }
                }
                content = nil
            }
        }
    }
}

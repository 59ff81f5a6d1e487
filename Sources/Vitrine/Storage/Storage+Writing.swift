import VitrineKit

// The bridge to what a storage can be told, beyond what it can be asked.
extension Storage {
    /// What can be relied on when it is written to.
    /// - Throws: `unsupported` when nothing can be written there.
    func writing() throws(PluginError) -> WritingAbilities { try writable().writing }

    /// Makes a folder. See `WritableBackend.makeFolder`.
    func makeFolder(_ path: ItemPath) async throws(PluginError) {
        let backend = try writable()
        try await watch.run("making the folder '\(DisplayText.of(path.bytes))'") { () async throws(PluginError) in
            try await backend.makeFolder(path)
        }
    }

    /// Begins to write a file. See `WritableBackend.write`.
    func write(_ path: ItemPath, _ draft: FileDraft) async throws(PluginError) -> any WriteTransaction {
        let backend = try writable()
        let name = DisplayText.of(path.bytes)
        let transaction = try await watch.run("beginning '\(name)'") { () async throws(PluginError) in
            try await backend.write(path, draft)
        }
        return WatchedTransaction(transaction, name, watch)
    }

    /// What is known of a file's content without reading it; nothing where the storage knows nothing.
    func checksums(of path: ItemPath) async throws(PluginError) -> [Checksum] {
        guard let backend = current as? any ChecksumBackend else { return [] }
        return try await watch.run("looking at '\(DisplayText.of(path.bytes))'") { () async throws(PluginError) in
            try await backend.checksums(of: path)
        }
    }

    private func writable() throws(PluginError) -> any WritableBackend {
        if let backend = current as? any WritableBackend { return backend }
        throw PluginError(
            .unsupported,
            "nothing can be written to '\(DisplayText.of(source.text))': the backend for '\(source.scheme):' only reads"
        )
    }
}

/// A file that is written, each call of which must come back in time.
private struct WatchedTransaction: WriteTransaction {
    private let transaction: any WriteTransaction
    private let name: String
    private let watch: CallWatch

    init(_ transaction: any WriteTransaction, _ name: String, _ watch: CallWatch) {
        self.transaction = transaction
        self.name = name
        self.watch = watch
    }

    /// A piece may be all of what a slow line carries in some minutes, and much is left to finish when a large file ends.
    private static let patience = 10.0

    var kept: Int64 { transaction.kept }

    func append(_ bytes: [UInt8], at offset: Int64) async throws(PluginError) {
        let transaction = transaction
        try await watch.run("writing '\(name)'", patience: Self.patience) { () async throws(PluginError) in
            try await transaction.append(bytes, at: offset)
        }
    }

    func commit(_ condition: WriteCondition, content: [Checksum]) async throws(PluginError) -> WrittenFile {
        let transaction = transaction
        return try await watch.run("finishing '\(name)'", patience: Self.patience) { () async throws(PluginError) in
            try await transaction.commit(condition, content: content)
        }
    }

    func suspend() async { await end { await $0.suspend() } }

    func abandon() async { await end { await $0.abandon() } }

    /// Also for a task that is cancelled, and not for ever.
    private func end(_ body: @escaping @Sendable (any WriteTransaction) async -> Void) async {
        let (transaction, watch, name) = (transaction, watch, name)
        await Task {
            try? await watch.run("giving up '\(name)'") { () async throws(PluginError) in await body(transaction) }
        }.value
    }
}

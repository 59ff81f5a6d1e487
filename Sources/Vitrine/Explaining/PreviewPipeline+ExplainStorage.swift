public import VitrineKit

/// What one level of a folder holds, and what it cost to find out.
public struct FolderExplanation: Sendable {
    /// The folder's URI.
    public var uri: String
    /// What its storage was asked for; `nil` when the backend does not count.
    public var storage: ExplainedStorage?
    /// The archive that it lies in; `nil` for other folders.
    public var archive: ExplainedArchive?
    /// How many entries of each kind it has.
    public var counts: [Entry.Kind: Int] = [:]
    /// How long listing it took, by the clock.
    public var time = Duration.zero
    /// What was left out, and why, where the storage tells.
    public var omissions: [PluginError] = []
}

extension PreviewPipeline {
    /// Lists one level of a folder to say what that costs, and keeps nothing of it.
    /// - Parameter source: the folder, of any storage.
    /// - Throws: `notAFile` when it is no folder, and what ends its listing.
    public func explain(folder source: SourceURI) async throws(PluginError) -> FolderExplanation {
        let settings = BackendSettings(followsLinks: true, crossesFileSystems: true)
        let storage = try await storages.storage(for: source, settings)
        let found = storage.traffic
        var explanation = FolderExplanation(uri: source.text)
        let start = ContinuousClock.now
        var pages = storage.pages(of: .root).makeAsyncIterator()
        while let page = try await pages.next(isolation: nil) {
            for entry in page { explanation.counts[entry.kind, default: 0] += 1 }
        }
        explanation.time = start.duration(to: .now)
        explanation.storage = await explained(storage, found: found)
        explanation.archive = await explainedArchive(storage)
        explanation.omissions = await storage.omissions
        return explanation
    }

    /// What is known of the archive that a storage is, once something of it was asked for; `nil` for other storages.
    func explainedArchive(_ storage: Storage) async -> ExplainedArchive? {
        await (storage.current as? ArchiveBackend)?.archive.lastContents.map(ExplainedArchive.init)
    }

    /// What a storage was asked for; `nil` when its backend does not count.
    /// - Parameter found: its figures when what is explained was found.
    func explained(_ storage: Storage, found: Traffic?) async -> ExplainedStorage? {
        guard let found, let now = storage.traffic,
            let plugin = await storages.plugin(for: storage.source.scheme)
        else { return nil }
        return ExplainedStorage(backend: RendererName(plugin), found: found, afterwards: now.since(found))
    }
}

import PluginHost
import VitrineKit

/// Makes a storage for a source when it is first asked for, and keeps it.
actor StorageRegistry {
    private struct Key: Hashable {
        var source: SourceURI
        var followsLinks: Bool
        var crossesFileSystems: Bool
    }
    private let factory: BackendFactory
    private var storages: [Key: Storage] = [:]

    init(factory: BackendFactory) { self.factory = factory }

    /// The storage of a source.
    /// - Throws: what the factory or the backend says: `invalidArgument`, `notFound`, `offline` …
    func storage(for source: SourceURI, _ settings: BackendSettings) async throws(PluginError) -> Storage {
        let key = Key(
            source: source, followsLinks: settings.followsLinks, crossesFileSystems: settings.crossesFileSystems)
        if let storage = storages[key] { return storage }
        return try await renewed(source, settings)
    }

    /// A new storage of a source, for one that went away and may have come back as something else.
    func renewed(_ source: SourceURI, _ settings: BackendSettings) async throws(PluginError) -> Storage {
        let key = Key(
            source: source, followsLinks: settings.followsLinks, crossesFileSystems: settings.crossesFileSystems)
        let factory = factory
        let seconds = factory.plugin(for: source.scheme)?.manifest.limits.seconds ?? PluginLimits.secondsOfBackends
        let watch = CallWatch(source, seconds: seconds)
        let backend = try await watch.run("connecting to it") { () async throws(PluginError) in
            try await factory.backend(for: source, settings: settings)
        }
        let storage = Storage(source: source, backend: backend, watch: watch)
        // A backend may hold a connection or a descriptor: only the latest sources are kept.
        if storages.count >= Self.limit { storages.removeAll() }
        storages[key] = storage
        return storage
    }

    private static let limit = 64
}

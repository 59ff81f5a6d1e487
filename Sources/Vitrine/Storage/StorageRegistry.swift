import Accounts
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
    private let accounts: AccountBook?
    private var storages: [Key: Storage] = [:]
    /// Those that are being connected to: who comes meanwhile waits for the same, and no keyring asks twice.
    private var connecting: [Key: Task<Result<Storage, PluginError>, Never>] = [:]

    /// - Parameters:
    ///   - factory: makes the backends.
    ///   - accounts: what backends are told for their sources. Default: nothing.
    init(factory: BackendFactory, accounts: AccountBook? = nil) {
        self.factory = factory
        self.accounts = accounts
    }

    /// The storage of a source.
    /// - Throws: what the factory or the backend says: `invalidArgument`, `notFound`, `offline` …
    func storage(for source: SourceURI, _ settings: BackendSettings) async throws(PluginError) -> Storage {
        let key = Key(
            source: source, followsLinks: settings.followsLinks, crossesFileSystems: settings.crossesFileSystems)
        if let storage = storages[key] { return storage }
        if let task = connecting[key] {
            let result = await task.value
            // Who began was stopped, which is no reason for the others.
            guard case .failure(let error) = result, error.code == .cancelled, !Task.isCancelled else {
                return try result.get()
            }
            if connecting[key] == task { connecting[key] = nil }
            return try await self.storage(for: source, settings)
        }
        let task = Task { () -> Result<Storage, PluginError> in
            do throws(PluginError) { return .success(try await renewed(source, settings)) } catch {
                return .failure(error)
            }
        }
        connecting[key] = task
        let result = await withTaskCancellationHandler {
            await task.value
        } onCancel: {
            task.cancel()
        }
        if connecting[key] == task { connecting[key] = nil }
        return try result.get()
    }

    /// A new storage of a source, for one that went away and may have come back as something else.
    func renewed(_ source: SourceURI, _ settings: BackendSettings) async throws(PluginError) -> Storage {
        let key = Key(
            source: source, followsLinks: settings.followsLinks, crossesFileSystems: settings.crossesFileSystems)
        let factory = factory
        let seconds = factory.plugin(for: source.scheme)?.manifest.limits.seconds ?? PluginLimits.secondsOfBackends
        let watch = CallWatch(source, seconds: seconds)
        var told = settings
        told.values.merge(try await values(for: source)) { own, _ in own }
        let settings = told
        let backend = try await watch.run("connecting to it") { () async throws(PluginError) in
            try await factory.backend(for: source, settings: settings)
        }
        let storage = Storage(source: source, backend: backend, watch: watch)
        // A backend may hold a connection or a descriptor: only the latest sources are kept.
        if storages.count >= Self.limit { storages.removeAll() }
        storages[key] = storage
        return storage
    }

    /// What the source's account says. A keyring may ask its user, for as long as that takes.
    private func values(for source: SourceURI) async throws(PluginError) -> [String: String] {
        guard let accounts, source.scheme != "file" else { return [:] }
        return try await AsideThread.run { () -> Result<[String: String], PluginError> in
            do throws(PluginError) { return .success(try accounts.values(for: source)) } catch {
                return .failure(error)
            }
        }.get()
    }

    private static let limit = 64
}

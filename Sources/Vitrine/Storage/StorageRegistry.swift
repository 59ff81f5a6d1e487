import Accounts
import PlaceNames
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
    private let containers: ContainerWorkers?
    private var storages: [Key: Storage] = [:]
    private var tokens: [Account: AccountTokens] = [:]
    /// Those that are being connected to: who comes meanwhile waits for the same, and no keyring asks twice.
    private var connecting: [Key: Task<Result<Storage, PluginError>, Never>] = [:]

    /// - Parameters:
    ///   - factory: makes the backends.
    ///   - accounts: what backends are told for their sources. Default: nothing.
    ///   - containers: who reads archives. Default: nobody.
    init(factory: BackendFactory, accounts: AccountBook? = nil, containers: ContainerWorkers? = nil) {
        self.containers = containers
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

    /// The plugin whose backend serves a scheme.
    func plugin(for scheme: String) -> InstalledPlugin? { factory.plugin(for: scheme) }

    /// A new storage of a source, for one that went away and may have come back as something else.
    /// - Throws: as ``storage(for:_:)``.
    func renewed(_ source: SourceURI, _ settings: BackendSettings) async throws(PluginError) -> Storage {
        try source.checkHost()
        let key = Key(
            source: source, followsLinks: settings.followsLinks, crossesFileSystems: settings.crossesFileSystems)
        if let address = try ArchiveAddress(source) {
            return keep(try await archive(address, source, settings), key)
        }
        let factory = factory
        let seconds = factory.plugin(for: source.scheme)?.manifest.limits.seconds ?? PluginLimits.secondsOfBackends
        let watch = CallWatch(source, seconds: seconds)
        let settings = try await told(for: source, settings)
        let backend = try await watch.run("connecting to it") { () async throws(PluginError) in
            try await factory.backend(for: source, settings: settings)
        }
        return keep(
            Storage(source: source, backend: backend, watch: watch, followsLinks: settings.followsLinks), key)
    }

    private func keep(_ storage: Storage, _ key: Key) -> Storage {
        // A backend may hold a connection or a descriptor: only the latest sources are kept.
        if storages.count >= Self.limit { storages.removeAll() }
        storages[key] = storage
        return storage
    }

    /// The storage of what is in an archive. All folders of an archive share what is known of it.
    private func archive(
        _ address: ArchiveAddress, _ source: SourceURI, _ settings: BackendSettings
    ) async throws(PluginError) -> Storage {
        guard let containers else {
            throw PluginError(
                .unsupported,
                "'\(PlaceName.of(source))' is in an archive, which is not opened for this; unpack it first")
        }
        let archive: OpenArchive
        if address.path.isRoot {
            let location = try ItemLocation(item: address.archive)
            // Who names a link to an archive means the archive.
            let settings = BackendSettings(followsLinks: true, crossesFileSystems: true)
            let storage = try await storage(for: location.source, settings)
            archive = OpenArchive(address.source, in: storage, at: location.path, containers)
        } else {
            let whole = try await storage(for: address.source, settings)
            guard let backend = whole.current as? ArchiveBackend else {
                throw PluginError(.invalidArgument, "'\(PlaceName.of(address.source))' is no archive")
            }
            archive = backend.archive
        }
        return Storage(
            source: source, backend: ArchiveBackend(archive, base: address.path), seconds: Self.secondsOfArchives)
    }

    /// How long one call may take: it may go through a whole archive, and wait until others did. Workers and the storage of
    /// the archive have bounds of their own.
    static let secondsOfArchives = 1800.0

    /// The settings of a source with what its account says. A keyring may ask its user, for as long as that takes.
    private func told(
        for source: SourceURI, _ settings: BackendSettings
    ) async throws(PluginError) -> BackendSettings {
        guard let accounts, source.scheme != "file" else { return settings }
        let (account, values) = try await AsideThread.run {
            () -> Result<(Account?, [String: String]), PluginError> in
            do throws(PluginError) {
                return .success((try accounts.account(for: source), try accounts.values(for: source)))
            } catch { return .failure(error) }
        }.get()
        var told = settings
        told.values.merge(values) { own, _ in own }
        if let account, account.hasLogin { told.accessTokens = try tokens(of: account, for: source, in: accounts) }
        return told
    }

    /// The tokens of an account, the same for all of its sources, so that they are renewed once.
    private func tokens(
        of account: Account, for source: SourceURI, in book: AccountBook
    ) throws(PluginError) -> AccountTokens {
        if let known = tokens[account] { return known }
        guard let manifest = factory.plugin(for: source.scheme)?.manifest,
            let service = try OAuthService(manifest, account.values)
        else {
            throw PluginError(
                .invalidArgument,
                "account '\(account.name)' was logged in for a plugin that does not know log-ins any more; remove it")
        }
        let made = AccountTokens(of: account.name, from: service, in: book)
        tokens[account] = made
        return made
    }

    private static let limit = 64
}

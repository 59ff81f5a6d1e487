import PluginLoader
public import VitrineKit

/// Makes backends for sources: the scheme of the URI chooses the plugin.
///
/// The only place where the host maps a plugin's library, and only when a source of its scheme is first used.
/// May be used from any task.
public final class BackendFactory: Sendable {
    private let plugins: [String: InstalledPlugin]
    private let switchedOff: [PluginManifest]

    private typealias Maker =
        @Sendable (SourceURI, BackendSettings) async throws(PluginError) -> any StorageBackend

    /// Creates a factory.
    /// - Parameter directory: the installed plugins; of several for a scheme the one with the highest priority is
    ///   used.
    public init(_ directory: PluginDirectory) {
        var plugins: [String: InstalledPlugin] = [:]
        for plugin in directory.backends {
            for scheme in plugin.manifest.schemes where plugins[scheme] == nil { plugins[scheme] = plugin }
        }
        self.plugins = plugins
        switchedOff = directory.switchedOff.filter { $0.kind == .backend }
    }

    /// The schemes that a backend can be made for, sorted.
    public var schemes: [String] { plugins.keys.sorted() }

    /// The plugin that serves a scheme.
    /// - Parameter scheme: in lower case.
    public func plugin(for scheme: String) -> InstalledPlugin? { plugins[scheme] }

    /// Makes a backend, which connects to its source.
    /// - Parameters:
    ///   - source: whose scheme chooses the plugin.
    ///   - settings: what the user configured for it. Default: nothing.
    /// - Throws: `invalidArgument` for a scheme that no plugin serves, `pluginUnavailable` when the plugin cannot be
    ///   loaded, else what the backend throws.
    public func backend(
        for source: SourceURI, settings: BackendSettings = BackendSettings()
    ) async throws(PluginError) -> any StorageBackend {
        guard let plugin = plugins[source.scheme] else { throw unknownScheme(of: source) }
        return try await Self.maker(of: plugin)(source, settings)
    }

    /// Maps a backend's library into this process, to see whether it would be used.
    /// - Throws: `pluginUnavailable` with a sentence when it would not.
    public static func load(_ plugin: InstalledPlugin) throws(PluginError) { _ = try maker(of: plugin) }

    private static func maker(of plugin: InstalledPlugin) throws(PluginError) -> Maker {
        guard let make = try PluginLibrary.open(plugin.libraryPath).makeBackend else {
            throw PluginError(
                .pluginUnavailable,
                "the plugin '\(plugin.manifest.id)' calls itself a backend, but its library "
                    + "'\(DisplayText.of(plugin.libraryPath))' holds none; give it the kind 'renderer' or mend its entry"
            )
        }
        return make
    }

    /// Why a URI cannot be read whose scheme no plugin serves.
    public func unknownScheme(of source: SourceURI) -> PluginError {
        if let plugin = switchedOff.first(where: { $0.schemes.contains(source.scheme) }) {
            return PluginError(
                .invalidArgument,
                "plugin '\(plugin.id)' serves the scheme '\(source.scheme)' of '\(DisplayText.of(source.text))', but "
                    + plugin.isSwitchedOff)
        }
        let known = schemes.isEmpty ? "no backend is installed" : "there are \(schemes.joined(separator: ", "))"
        var meant = Self.otherNames[source.scheme].flatMap { plugins[$0] == nil ? nil : " (did you mean '\($0):'?)" }
        if Self.mounted.contains(source.scheme) { meant = " (mount the share, and name its folder)" }
        return PluginError(
            .invalidArgument,
            "no plugin serves the scheme '\(source.scheme)' of '\(DisplayText.of(source.text))'\(meant ?? ""): \(known); "
                + "'vitrine plugins' lists what is installed")
    }

    /// What other programs call the schemes of backends: people copy addresses from a browser or a file manager.
    private static let otherNames = [
        "http": "dav", "https": "davs", "webdav": "dav", "webdavs": "davs", "dav+http": "dav", "dav+https": "davs",
        "ssh": "sftp", "scp": "sftp", "rss": "feed", "atom": "feed", "s3a": "s3", "s3n": "s3",
    ]

    /// Shares that the system mounts: they are read as folders.
    private static let mounted: Set<String> = ["smb", "cifs", "nfs", "afp"]
}

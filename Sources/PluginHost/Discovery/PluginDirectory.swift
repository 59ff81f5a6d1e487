public import Settings

/// The plugins that are installed, as their manifests tell: no library is mapped to find them.
public struct PluginDirectory: Sendable {
    /// Where they were looked for.
    public let searchPath: PluginSearchPath
    /// Every plugin that was found, in the order of the search, usable or not.
    public let listings: [PluginListing]
    /// Renderers that can be used, the highest priority first, then by id; thumbnailers of other projects come last.
    public let renderers: [InstalledPlugin]
    /// Backends that can be used, the highest priority first, then by id.
    public let backends: [InstalledPlugin]
    /// Readers of containers that can be used, the highest priority first, then by id.
    public let containers: [InstalledPlugin]
    /// What the user switched off says about itself, the highest priority first: that it is there is said where it is missed.
    public let switchedOff: [PluginManifest]

    /// Looks for plugins: every `plugin.json` in the folders of the search path and up to three levels below them,
    /// folders in the order of their names. Blocks while it reads folders and manifests.
    ///
    /// What is damaged, cannot be trusted or lacks its library is refused with a sentence; the rest works. Of
    /// plugins with the same id the first that can be used is taken; a second one in the same folder of the search path is
    /// refused, one in a later folder is overridden.
    /// - Parameters:
    ///   - searchPath: where to look.
    ///   - disabled: ids of plugins that the user switched off. Default: none.
    ///   - priorities: the user's priorities by id; they replace those of the manifests. Default: none.
    public init(
        scanning searchPath: PluginSearchPath, disabled: Set<String> = [], priorities: [String: Int] = [:]
    ) {
        self.init(searchPath, disabled, priorities, [:])
    }

    /// The same, with the user's settings: plugins that are switched off, priorities and limits.
    /// - Parameters:
    ///   - searchPath: where to look.
    ///   - settings: what the user configured.
    public init(scanning searchPath: PluginSearchPath, settings: Settings) {
        var searchPath = searchPath
        if settings.usesForeignThumbnailers == false { searchPath.thumbnailerFolders = [] }
        self.init(searchPath, settings.disabledPlugins, settings.priorities, settings.plugins)
    }

    private init(
        _ searchPath: PluginSearchPath, _ disabled: Set<String>, _ priorities: [String: Int],
        _ limits: [String: PluginSettings]
    ) {
        var scan = PluginScan(
            libraryFolders: searchPath.libraryFolders, disabled: disabled, priorities: priorities, limits: limits)
        for folder in searchPath.folders { scan.search(folder) }
        self.searchPath = searchPath
        let foreign = ForeignScan(searchPath.thumbnailerFolders, disabled: disabled, limits: limits)
        listings = scan.listings + foreign.listings
        let usable = scan.usable.sorted { a, b in
            (b.manifest.priority, a.manifest.id) < (a.manifest.priority, b.manifest.id)
        }
        renderers =
            usable.filter { $0.manifest.kind == .renderer }.map { $0.sharingTemplate(among: usable) } + foreign.usable
        backends = usable.filter { $0.manifest.kind == .backend }
        containers = usable.filter { $0.manifest.kind == .container }
        switchedOff = listings.filter { $0.state == .disabled }.compactMap(\.manifest).sorted { a, b in
            (b.priority, a.id) < (a.priority, b.id)
        }
    }
}

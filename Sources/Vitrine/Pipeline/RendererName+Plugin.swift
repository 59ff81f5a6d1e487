import PluginHost

extension RendererName {
    init(_ plugin: InstalledPlugin) {
        let manifest = plugin.manifest
        self.init(
            id: manifest.id, version: manifest.version, title: manifest.name, limits: plugin.limitsFingerprint)
    }

    /// The name of a plugin, which may be one that is known already: to make it takes some microseconds.
    init(_ plugin: InstalledPlugin, unless known: RendererName?) {
        let manifest = plugin.manifest
        if let known, known.id == manifest.id, known.version == manifest.version {
            self = known
        } else {
            self.init(plugin)
        }
    }

    /// How a remembered failure names the renderer.
    var key: String { "\(id) \(version)" }
}

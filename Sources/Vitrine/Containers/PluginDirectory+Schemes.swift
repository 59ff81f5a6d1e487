public import PluginHost

extension PluginDirectory {
    /// The schemes of all URIs that can be read: those of the backends, and that of archives where something reads them.
    public var schemes: Set<String> {
        let schemes = Set(backends.flatMap(\.manifest.schemes))
        return containers.isEmpty ? schemes : schemes.union([ArchiveAddress.scheme])
    }
}

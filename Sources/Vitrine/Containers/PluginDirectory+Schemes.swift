public import PluginHost
public import VitrineKit

extension PluginDirectory {
    /// The schemes of all URIs that can be read: those of the backends, and that of archives where something reads them.
    public var schemes: Set<String> {
        let schemes = Set(backends.flatMap(\.manifest.schemes))
        return containers.isEmpty ? schemes : schemes.union([ArchiveAddress.scheme])
    }

    /// Refuses a URI that nothing reads, before it is asked what is there.
    /// - Throws: `invalidArgument`, with the schemes that there are.
    public func check(schemeOf uri: SourceURI) throws(PluginError) {
        guard schemes.contains(uri.scheme) else { throw BackendFactory(self).unknownScheme(of: uri) }
    }
}

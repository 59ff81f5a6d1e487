import VitrineKit

extension PluginError {
    /// Whether it can only come from the catalog, not from a storage.
    var isOfCatalog: Bool { code == .corrupt || code == .noSpace }
}

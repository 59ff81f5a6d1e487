import PluginHost
import VitrineKit

/// A plugin as the list of plugins tells it; `docs/json.md` describes the object.
struct PluginLine: Encodable {
    var id: String?
    var name: String?
    var version: String?
    var kind: String?
    var state: String
    var path: String
    var reason: String?
    var overriddenBy: String?
    var priority: Int?
    var types: [String]?
    var schemes: [String]?

    init(_ listing: PluginListing) {
        let manifest = listing.manifest
        (id, name, version, priority) = (manifest?.id, manifest?.name, manifest?.version, manifest?.priority)
        kind = listing.isForeign ? "thumbnailer" : manifest?.kind.rawValue
        path = listing.isForeign ? listing.libraryPath ?? listing.folder : listing.folder
        types = manifest.flatMap { $0.types.isEmpty ? nil : $0.types }
        schemes = manifest.flatMap { $0.schemes.isEmpty ? nil : $0.schemes }
        switch listing.state {
        case .ready: state = "ready"
        case .disabled: state = "disabled"
        case .refused(let error): (state, reason) = ("refused", error.message)
        case .overridden(let folder): (state, overriddenBy) = ("overridden", folder)
        }
    }
}

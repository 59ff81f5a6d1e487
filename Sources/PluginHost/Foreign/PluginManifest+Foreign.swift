import Containment
import VitrineKit

extension PluginManifest {
    /// Stands for the manifest of a thumbnailer of another project, which has none.
    init(foreign id: String, name: String, version: String, types: [String]) {
        self.id = id
        self.name = name
        self.version = version
        abi = UInt32(VITRINE_PLUGIN_ABI)
        kind = .renderer
        library = ""
        (self.types, spelledTypes) = (types, types)
        (schemes, magic, firstFor, skipsEmpty, doubtsBlank) = ([], [], [], false, false)
        template = nil
        priority = -1000
        containment = .strictest
        (oauth, settings) = (nil, nil)
        limits = PluginLimits()
        (limits.seconds, limits.inputMiB, limits.documentsPerWorker) = (30, 256, 64)
        // Programs share little, and a film takes more than a letter.
        limits.addressSpaceMiB = 4096
    }
}

import Containment
import Settings

// What a plugin of a kind has no use for.
extension PluginManifest {
    /// The fields that mean nothing for the plugin. Those of its limits are told by ``idleSettings``.
    var idleFields: Set<Field> {
        switch kind {
        case .renderer: [.schemes, .oauth, .settings]
        case .container: [.schemes, .oauth, .settings, .firstFor, .skipsEmpty, .doubtsBlank, .template]
        case .backend: [.types, .magic, .firstFor, .skipsEmpty, .doubtsBlank, .template, .containment]
        }
    }

    /// The settings, and with them the limits, that mean nothing for the plugin: a backend has no workers, a reader of
    /// containers draws nothing, and few workers have a folder of their own.
    var idleSettings: Set<PluginSetting> {
        var idle: Set<PluginSetting> =
            switch kind {
            case .backend: Set(PluginSetting.allCases).subtracting([.enabled, .priority, .seconds])
            case .container: [.megapixels, .pages]
            case .renderer: []
            }
        if !containment.privateFolder { idle.insert(.privateFolder) }
        return idle
    }
}

public import Settings

// What the settings file may say of a plugin.
extension PluginListing {
    /// The keys of `[plugin ID]` that mean something for it. Thumbnailers of other projects come last whatever they are,
    /// and always have a folder of their own.
    public var settings: [PluginSetting] {
        let idle: Set<PluginSetting> = isForeign ? [.priority] : manifest?.idleSettings ?? []
        return PluginSetting.allCases.filter { !idle.contains($0) }
    }
}

/// Keys of a `[plugin ID]` group that mean nothing for that plugin.
public struct IdleSettings: Hashable, Sendable {
    /// The plugin's id.
    public let plugin: String
    /// The keys that are set in vain.
    public let keys: [PluginSetting]
    /// Those that the plugin has.
    public let known: [PluginSetting]

    /// What is wrong, as the end of a sentence that names the group.
    public var clause: String {
        "\(Self.list(keys)): this plugin has no such \(keys.count == 1 ? "key" : "keys"), only \(Self.list(known))"
    }

    private static func list(_ keys: [PluginSetting]) -> String { keys.map(\.rawValue).joined(separator: ", ") }
}

extension PluginDirectory {
    /// What settings say in vain of plugins that are installed, by their ids.
    public func idleSettings(_ settings: Settings) -> [IdleSettings] {
        settings.plugins.sorted { $0.key < $1.key }.compactMap { id, own in
            guard let listing = listings.first(where: { $0.id == id }) else { return nil }
            let idle = PluginSetting.allCases.filter { own[$0] != nil && !listing.settings.contains($0) }
            return idle.isEmpty ? nil : IdleSettings(plugin: id, keys: idle, known: listing.settings)
        }
    }
}

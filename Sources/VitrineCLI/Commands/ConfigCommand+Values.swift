import Containment
import PluginHost
import PreviewCache
import Settings
import VitrineKit

// The values in force.
extension ConfigCommand {
    /// All of them, each with where it comes from.
    static func lines(of settings: Settings) -> [SettingLine] {
        let level = settings.requiredContainment
        let embedded = settings.embedded
        let foreign = settings.usesForeignThumbnailers
        return [
            SettingLine(
                group: "containment", key: "required", value: (level ?? .none).rawValue,
                from: .init(isSet: level != nil)),
            SettingLine(
                group: "pictures", key: "embedded", value: (embedded ?? .auto).rawValue,
                from: .init(isSet: embedded != nil)),
        ] + cache(settings) + passwords(settings.passwords) + [
            SettingLine(
                group: "foreign-thumbnailers", key: "enabled", value: String(foreign ?? true),
                from: .init(isSet: foreign != nil))
        ] + index(settings) + plugins(settings)
    }

    private static func cache(_ settings: Settings) -> [SettingLine] {
        CacheSettings.Key.allCases.map { key -> SettingLine in
            let standard: SettingValue =
                switch key {
                case .size: .size(Int(CacheQuota.standardBytes >> 20))
                case .age: .time(Double(CacheQuota.standardAge))
                }
            let own = settings.cache[key]
            return SettingLine(
                group: "cache", key: key.rawValue, value: own?.description ?? standard.description,
                from: .init(isSet: own != nil))
        }
    }

    /// The command itself is not told: somebody may have written a password into it.
    private static func passwords(_ own: PasswordSettings) -> [SettingLine] {
        [
            SettingLine(group: "passwords", key: "command", from: .init(isSet: own.command != nil)),
            SettingLine(
                group: "passwords", key: "cache-encrypted", value: String(own.cachesEncrypted ?? false),
                from: .init(isSet: own.cachesEncrypted != nil)),
        ]
    }

    /// All of `[index]`, and of single sources what is set.
    private static func index(_ settings: Settings) -> [SettingLine] {
        var lines = IndexSettings.Key.allCases.map { key -> SettingLine in
            let value = settings.index.text(key)
            let standard = key == .exclude || key == .include ? nil : String(IndexSettings.isOnByDefault(key))
            return SettingLine(
                group: "index", key: key.rawValue, value: value ?? standard, from: .init(isSet: value != nil))
        }
        for (source, own) in settings.sources.sorted(by: { $0.key.text < $1.key.text }) {
            for key in IndexSettings.Key.allCases {
                guard let value = own.text(key) else { continue }
                lines.append(SettingLine(group: "source \(source.text)", key: key.rawValue, value: value, from: .file))
            }
        }
        for (source, own) in settings.filing.sorted(by: { $0.key.text < $1.key.text }) {
            for key in FilingSettings.Key.allCases {
                guard let value = own.text(key) else { continue }
                lines.append(SettingLine(group: "source \(source.text)", key: key.rawValue, value: value, from: .file))
            }
        }
        return lines
    }

    /// Of each plugin the keys that it has; thumbnailers of other projects come last.
    private static func plugins(_ settings: Settings) -> [SettingLine] {
        let listings = PluginDirectory(scanning: .standard(), settings: settings).listings
        let sorted = [false, true].flatMap { isForeign in
            listings.filter { $0.isForeign == isForeign }.sorted { ($0.id ?? "") < ($1.id ?? "") }
        }
        var lines: [SettingLine] = []
        var seen: Set<String> = []
        for listing in sorted {
            guard let manifest = listing.manifest, seen.insert(manifest.id).inserted else { continue }
            let own = settings.plugins[manifest.id] ?? PluginSettings()
            for key in listing.settings {
                guard let value = value(of: key, manifest, own) else { continue }
                let isStated = key == .priority ? manifest.priority != 100 : manifest.limits.stated.contains(key)
                lines.append(
                    SettingLine(
                        group: "plugin \(manifest.id)", key: key.rawValue, value: value.description,
                        from: own[key] != nil ? .file : isStated ? .manifest : .standard))
            }
        }
        return lines
    }

    private static func value(
        of key: PluginSetting, _ manifest: PluginManifest, _ own: PluginSettings
    ) -> SettingValue? {
        switch key {
        case .enabled: .flag(!own.isDisabled)
        case .priority: .whole(manifest.priority)
        default: manifest.limits[key]
        }
    }
}

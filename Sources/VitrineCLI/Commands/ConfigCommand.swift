import Containment
import PluginHost
import PreviewCache
import Settings
import VitrineKit

/// `vitrine config`
enum ConfigCommand: Command {
    static let name = "config"
    static let summary = "Show the settings in force, or check the settings file."
    static let usage = "[show] | check | path"
    static let details = """
        'show' prints every value and where it comes from: the settings file, the plugin's plugin.json, or the default.
        'check' says what is wrong with the file and exits with 1 if anything is. 'path' prints where the file belongs.
        docs/settings.md describes the file.
        """
    static let options: [OptionSpecification] = []

    static func run(_ arguments: ParsedArguments) async throws(PluginError) -> CInt {
        let words = arguments.operands.map { String(decoding: $0, as: UTF8.self) }
        guard words.count < 2 else { throw wrongUsage(words.first) }
        let environment = PluginSearchPath.environment
        guard let path = Settings.path(environment: environment) else {
            throw PluginError(
                .io, "there is no place for settings: set XDG_CONFIG_HOME or HOME to an absolute path")
        }
        switch words.first {
        case "path":
            Console.print(path)
            return ExitCode.done
        case "check": return check(path)
        case nil, "show":
            do throws(PluginError) { show(try Settings(reading: path), path) } catch {
                // Wrong settings are not wrong usage of this command.
                throw PluginError(.io, error.message)
            }
            return ExitCode.done
        default: throw wrongUsage(words.first)
        }
    }

    private static func wrongUsage(_ word: String?) -> PluginError {
        Action.wrongUsage(
            word, of: name, among: ["show", "check", "path"], "write 'show', 'check' or 'path' behind 'vitrine config'")
    }

    private static func check(_ path: String) -> CInt {
        do throws(PluginError) {
            let settings = try Settings(reading: path)
            let directory = PluginDirectory(scanning: .standard())
            let installed = Set(directory.listings.compactMap(\.id))
            let unknown = settings.plugins.keys.filter { !installed.contains($0) }.sorted()
            for id in unknown {
                Console.error(
                    "'\(DisplayText.of(path))' has [plugin \(id)], which is not installed; "
                        + "'vitrine plugins' lists what is")
            }
            let idle = directory.idleSettings(settings)
            for settings in idle {
                Console.error("'\(DisplayText.of(path))' has in [plugin \(settings.plugin)] \(settings.clause)")
            }
            return unknown.isEmpty && idle.isEmpty ? ExitCode.done : ExitCode.failed
        } catch {
            Console.error(DisplayText.of(error.message))
            return ExitCode.failed
        }
    }

    private static func show(_ settings: Settings, _ path: String) {
        var rows = [["group", "key", "value", "from"]]
        let level = settings.requiredContainment
        rows.append(["containment", "required", (level ?? .none).rawValue, level == nil ? "default" : "file"])
        let embedded = settings.embedded
        rows.append(["pictures", "embedded", (embedded ?? .auto).rawValue, embedded == nil ? "default" : "file"])
        rows += cacheRows(settings)
        rows += passwordRows(settings.passwords)
        let foreign = settings.usesForeignThumbnailers
        rows.append(["foreign-thumbnailers", "enabled", String(foreign ?? true), foreign == nil ? "default" : "file"])
        rows += indexRows(settings)
        rows += pluginRows(settings)
        let widths = rows[0].indices.map { column in rows.map { $0[column].columns }.max() ?? 0 }
        for row in rows {
            let cells = row.indices.map { $0 == row.count - 1 ? row[$0] : row[$0].padded(to: widths[$0] + 2) }
            Console.print(cells.joined())
        }
        Console.print("file: \(DisplayText.of(path))")
    }

    private static func cacheRows(_ settings: Settings) -> [[String]] {
        CacheSettings.Key.allCases.map { key in
            let standard: SettingValue =
                switch key {
                case .size: .size(Int(CacheQuota.standardBytes >> 20))
                case .age: .time(Double(CacheQuota.standardAge))
                }
            let own = settings.cache[key]
            return ["cache", key.rawValue, own?.description ?? standard.description, own == nil ? "default" : "file"]
        }
    }

    /// The command itself is not shown: somebody may have written a password into it.
    private static func passwordRows(_ own: PasswordSettings) -> [[String]] {
        func origin(_ isSet: Bool) -> String { isSet ? "file" : "default" }
        return [
            ["passwords", "command", own.command == nil ? "(nothing set)" : "(set)", origin(own.command != nil)],
            [
                "passwords", "cache-encrypted", String(own.cachesEncrypted ?? false),
                origin(own.cachesEncrypted != nil),
            ],
        ]
    }

    /// All of `[index]`, and of single sources what is set.
    private static func indexRows(_ settings: Settings) -> [[String]] {
        func shown(_ text: String) -> String { text.isEmpty ? "(nothing set)" : DisplayText.of(text) }
        var rows = IndexSettings.Key.allCases.map { key in
            let value = settings.index.text(key)
            let standard = key == .exclude || key == .include ? "" : String(IndexSettings.isOnByDefault(key))
            return ["index", key.rawValue, shown(value ?? standard), value == nil ? "default" : "file"]
        }
        for (source, own) in settings.sources.sorted(by: { $0.key.text < $1.key.text }) {
            for key in IndexSettings.Key.allCases {
                guard let value = own.text(key) else { continue }
                rows.append(["source \(DisplayText.of(source.text))", key.rawValue, shown(value), "file"])
            }
        }
        for (source, own) in settings.filing.sorted(by: { $0.key.text < $1.key.text }) {
            for key in FilingSettings.Key.allCases {
                guard let value = own.text(key) else { continue }
                rows.append(["source \(DisplayText.of(source.text))", key.rawValue, shown(value), "file"])
            }
        }
        return rows
    }

    /// Of each plugin the keys that it has; thumbnailers of other projects come last.
    private static func pluginRows(_ settings: Settings) -> [[String]] {
        let listings = PluginDirectory(scanning: .standard(), settings: settings).listings
        let sorted = [false, true].flatMap { isForeign in
            listings.filter { $0.isForeign == isForeign }.sorted { ($0.id ?? "") < ($1.id ?? "") }
        }
        var rows: [[String]] = []
        var seen: Set<String> = []
        for listing in sorted {
            guard let manifest = listing.manifest, seen.insert(manifest.id).inserted else { continue }
            let own = settings.plugins[manifest.id] ?? PluginSettings()
            for key in listing.settings {
                guard let value = value(of: key, manifest, own) else { continue }
                let isStated = key == .priority ? manifest.priority != 100 : manifest.limits.stated.contains(key)
                let origin = own[key] != nil ? "file" : isStated ? "plugin.json" : "default"
                rows.append(["plugin \(manifest.id)", key.rawValue, value.description, origin])
            }
        }
        return rows
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

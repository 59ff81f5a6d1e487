import CGIO
import Containment
import VitrineKit

/// Turns the text of a settings file into settings. Strict: what is not understood is an error, since who sets a
/// bound must not believe in one that is not in force.
struct SettingsParser {
    private let file: String
    private let text: KeyFileText
    var settings = Settings()
    /// What was refused, from the first line to the last: `invalidArgument`, with sentences that name file, line and key, and what
    /// is accepted.
    private(set) var faults: [PluginError] = []

    /// Parses a file to its end, whatever is refused in it.
    /// - Parameters:
    ///   - text: its content.
    ///   - file: its path, for sentences.
    /// - Throws: `invalidArgument` with a sentence that names file and line, for what is no file of groups and keys.
    init(parsing text: String, file: String) throws(PluginError) {
        let lines: KeyFileText
        do throws(KeyFileText.Objection) { lines = try KeyFileText(text) } catch {
            throw Self.refused(file, error.line, error.clause)
        }
        self.init(file: file, text: lines)
        let keys = g_key_file_new()
        defer { g_key_file_free(keys) }
        guard g_key_file_load_from_data(keys, text, gsize(text.utf8.count), G_KEY_FILE_NONE, nil) != 0 else {
            throw Self.refused(file, nil, "it is no key file: groups in brackets, and lines 'key = value' below them")
        }
        // Of a group that is refused nobody knows what keys it has.
        var refusedGroups: Set<String> = []
        for (group, key) in lines.lines.sorted(by: { $0.value < $1.value }).map({ ($0.key.group, $0.key.key) })
        where !refusedGroups.contains(group) {
            do throws(PluginError) { try take(from: keys, group, key) } catch {
                faults.append(error)
                if key.isEmpty { refusedGroups.insert(group) }
            }
        }
    }

    /// Takes a key, or a group, which has the key "".
    private mutating func take(from keys: OpaquePointer?, _ group: String, _ key: String) throws(PluginError) {
        if key.isEmpty { return try check(group: group) }
        if let index = IndexSettings.Key(rawValue: key), index == .exclude || index == .include,
            Self.isIndex(group: group)
        {
            return try take(group, index, try list(keys, group, key))
        }
        if try take(filing: keys, group, key) { return }
        guard let value = g_key_file_get_string(keys, group, key, nil) else {
            throw refused(group, key, Self.emptyEscape)
        }
        defer { g_free(value) }
        try take(group, key, String(cString: value))
    }

    private init(file: String, text: KeyFileText) {
        self.file = file
        self.text = text
    }

    private static let pluginPrefix = "plugin "
    private static let foreign = "foreign-thumbnailers"
    static let emptyEscape = "its value has a backslash that means nothing; write \\\\ for one"

    private mutating func check(group: String) throws(PluginError) {
        if ["containment", "cache", "pictures", "passwords", Self.foreign, Self.index].contains(group) { return }
        if group.hasPrefix(Self.sourcePrefix) { return try check(source: group) }
        if group.hasPrefix(Self.pluginPrefix) {
            let id = String(group.dropFirst(Self.pluginPrefix.count))
            guard PluginSettings.isPluginID(id) else {
                throw refused(
                    group, "", "'\(DisplayText.of(id))' is no plugin's id; 'vitrine plugins' lists them")
            }
            settings.plugins[id] = PluginSettings()
            return
        }
        throw refused(
            group, "",
            "the group [\(DisplayText.of(group))] is not known; there are [containment], [cache], [pictures], [passwords], "
                + "[foreign-thumbnailers], [index], [source NAME-OR-URI] and [plugin ID]")
    }

    private mutating func take(_ group: String, _ key: String, _ value: String) throws(PluginError) {
        if group == "containment" {
            guard key == "required" else {
                throw refused(group, key, "'\(DisplayText.of(key))' is not known; [containment] has: required")
            }
            guard let level = ContainmentLevel(rawValue: value) else {
                let names = ContainmentLevel.allCases.map(\.rawValue).joined(separator: ", ")
                throw refused(group, key, "'\(DisplayText.of(value))' is no level; write one of \(names)")
            }
            settings.requiredContainment = level
            return
        }
        if group == "pictures" { return try take(pictures: key, value) }
        if group == "cache" { return try take(cache: key, value) }
        if group == Self.foreign {
            guard key == "enabled", let flag = SettingText.flag(value) else {
                throw refused(group, key, "[foreign-thumbnailers] has: enabled, which is true or false")
            }
            settings.usesForeignThumbnailers = flag
            return
        }
        if group == "passwords" { return try take(passwords: key, value) }
        if Self.isIndex(group: group) { return try take(index: group, key, value) }
        let id = String(group.dropFirst(Self.pluginPrefix.count))
        guard let setting = PluginSetting(rawValue: key) else {
            let names = PluginSetting.allCases.map(\.rawValue).joined(separator: ", ")
            throw refused(group, key, "'\(DisplayText.of(key))' is not known; [plugin ID] has: \(names)")
        }
        guard settings.plugins[id, default: PluginSettings()].set(setting, to: value) else {
            throw refused(
                group, key, "'\(DisplayText.of(value))' is no value for \(key); write \(setting.wanted)")
        }
    }

    private mutating func take(pictures key: String, _ value: String) throws(PluginError) {
        guard key == "embedded" else {
            throw refused("pictures", key, "'\(DisplayText.of(key))' is not known; [pictures] has: embedded")
        }
        guard let use = EmbeddedUse(rawValue: value) else {
            throw refused(
                "pictures", key, "'\(DisplayText.of(value))' is no value for embedded; write auto, prefer or never")
        }
        settings.embedded = use
    }

    private mutating func take(cache key: String, _ value: String) throws(PluginError) {
        guard let setting = CacheSettings.Key(rawValue: key) else {
            let names = CacheSettings.Key.allCases.map(\.rawValue).joined(separator: ", ")
            throw refused("cache", key, "'\(DisplayText.of(key))' is not known; [cache] has: \(names)")
        }
        guard settings.cache.set(setting, to: value) else {
            throw refused(
                "cache", key,
                "'\(DisplayText.of(value))' is no value for \(key); write \(CacheSettings.wanted(setting))")
        }
    }

    private mutating func take(passwords key: String, _ value: String) throws(PluginError) {
        guard let setting = PasswordSettings.Key(rawValue: key) else {
            let names = PasswordSettings.Key.allCases.map(\.rawValue).joined(separator: ", ")
            throw refused("passwords", key, "'\(DisplayText.of(key))' is not known; [passwords] has: \(names)")
        }
        guard settings.passwords.set(setting, to: value) else {
            // What stands there may be a secret, by mistake.
            throw refused("passwords", key, "this is no value for \(key); write \(PasswordSettings.wanted(setting))")
        }
    }

    func refused(_ group: String, _ key: String, _ clause: String) -> PluginError {
        Self.refused(file, text.lines[KeyFileText.Place(group: group, key: key)], clause)
    }

    private static func refused(_ file: String, _ line: Int?, _ clause: String) -> PluginError {
        let place = line.map { ", line \($0)" } ?? ""
        return PluginError(.invalidArgument, "the settings file '\(DisplayText.of(file))'\(place): \(clause)")
    }
}

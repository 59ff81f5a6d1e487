import CGIO
import IgnoreRules
import VitrineKit

// The groups `[index]` and `[source NAME-OR-URI]`.
extension SettingsParser {
    static let index = "index"
    static let sourcePrefix = "source "

    /// The most patterns in one list.
    private static let maximumPatterns = 1024

    static func isIndex(group: String) -> Bool { group == index || group.hasPrefix(sourcePrefix) }

    mutating func check(source group: String) throws(PluginError) {
        let name = String(group.dropFirst(Self.sourcePrefix.count))
        guard let key = SourceKey(name) else {
            throw refused(
                group, "",
                "'\(DisplayText.of(name))' is neither a URI, such as file:///home/a/Documents, nor a name of 1 to 64 "
                    + "characters without '/'")
        }
        // KeyFileText sees the same text twice, not the same source.
        guard settings.sources[key] == nil else {
            throw refused(group, "", "the source '\(DisplayText.of(key.text))' stands there twice; remove one")
        }
        settings.sources[key] = IndexSettings()
    }

    /// Takes a switch.
    mutating func take(index group: String, _ key: String, _ value: String) throws(PluginError) {
        guard let known = IndexSettings.Key(rawValue: key) else {
            let all = IndexSettings.Key.allCases.map(\.rawValue)
            let own = group == Self.index ? [] : FilingSettings.Key.allCases.map(\.rawValue)
            let names = (all + own).joined(separator: ", ")
            let shown = group == Self.index ? group : Self.sourcePrefix + "NAME-OR-URI"
            throw refused(group, key, "'\(DisplayText.of(key))' is not known; [\(shown)] has: \(names)")
        }
        guard let flag = SettingText.flag(value) else {
            throw refused(
                group, key, "'\(DisplayText.of(value))' is no value for \(key); write true or false")
        }
        change(group) { $0[known] = flag }
    }

    /// Takes a list of patterns.
    mutating func take(
        _ group: String, _ key: IndexSettings.Key, _ values: [[UInt8]]
    ) throws(PluginError) {
        guard values.count <= Self.maximumPatterns else {
            throw refused(group, key.rawValue, "it has more than \(Self.maximumPatterns) patterns")
        }
        var patterns: [IgnorePattern] = []
        for value in values {
            do throws(PluginError) { patterns.append(try IgnorePattern(value)) } catch {
                throw refused(group, key.rawValue, error.message)
            }
        }
        change(group) { if key == .exclude { $0.exclude = patterns } else { $0.include = patterns } }
    }

    /// The parts of a list without the blanks before them, which stand after each `;`, and those behind them, as
    /// gitignore(5) has it.
    func list(_ keys: OpaquePointer?, _ group: String, _ key: String) throws(PluginError) -> [[UInt8]] {
        var count: gsize = 0
        guard let parts = g_key_file_get_string_list(keys, group, key, &count, nil) else {
            // An empty value is no list to GLib.
            guard let value = g_key_file_get_value(keys, group, key, nil) else {
                throw refused(group, key, Self.emptyEscape)
            }
            defer { g_free(value) }
            guard value.pointee == 0 else { throw refused(group, key, Self.emptyEscape) }
            return []
        }
        defer { g_strfreev(parts) }
        var list: [[UInt8]] = []
        for part in UnsafeBufferPointer(start: parts, count: Int(count)) {
            guard let part else { continue }
            let text = Array(String(cString: part).utf8)
            list.append(IgnoreList.withoutBlanks(text.drop { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") }))
        }
        // What follows a `;` at the end.
        if list.last?.isEmpty == true { list.removeLast() }
        return list
    }

    private mutating func change(_ group: String, _ change: (inout IndexSettings) -> Void) {
        if group == Self.index { return change(&settings.index) }
        guard let key = SourceKey(String(group.dropFirst(Self.sourcePrefix.count))) else { return }
        change(&settings.sources[key, default: IndexSettings()])
    }
}

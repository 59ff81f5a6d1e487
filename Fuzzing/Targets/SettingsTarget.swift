import CGIO
import IgnoreRules
import VitrineKit

@testable import Settings

extension FuzzTarget {
    /// The user's settings file.
    static let settings = FuzzTarget(
        name: "settings", maximumLength: 4096,
        words: [
            "[containment]\n", "required = ", "[plugin pdf]\n", "seconds = ", "address-space = ", "\r\n", "\r", "\\s",
            "\\", "#", "enabled = false\n", "1TiB", "99999999999999999999", "0.1", "ms", "min", "h", "kB", "\u{301}",
            "[index]\n", "[source file:///a]\n", "[source a]\n", "exclude = ", "include = ", "; ", "\\;",
            "hidden = no\n", "!*/", "[passwords]\n", "command = ", "cache-encrypted = ", "[foreign-thumbnailers]\n",
        ],
        check: { bytes in
            // The reader of the file lets through nothing else.
            guard let text = String(validating: bytes, as: UTF8.self), !bytes.contains(0) else { return }
            let settings: Settings
            do throws(PluginError) { settings = try Settings(text: text, file: "config") } catch {
                return try error.mustBe(.invalidArgument)
            }
            // Counted independently, in bytes: a line that somebody wrote must be in force.
            var wanted = 0
            var groups = 0
            for line in bytes.split(whereSeparator: { $0 == 0x0A || $0 == 0x0D }) {
                let line = line.drop { $0 == 0x20 || $0 == 0x09 }
                if line.isEmpty || line.first == UInt8(ascii: "#") { continue }
                if line.first == UInt8(ascii: "[") { groups += 1 } else { wanted += 1 }
            }
            var found = settings.requiredContainment == nil ? 0 : 1
            found += settings.passwords.command == nil ? 0 : 1
            found += settings.passwords.cachesEncrypted == nil ? 0 : 1
            found += settings.usesForeignThumbnailers == nil ? 0 : 1
            for (id, plugin) in settings.plugins {
                try hold(PluginSettings.isPluginID(id), "'\(id)' is no id")
                for key in PluginSetting.allCases {
                    guard let value = plugin[key] else { continue }
                    found += 1
                    // As `vitrine config` shows it, a value can be written into the file again.
                    var copy = PluginSettings()
                    try hold(copy.set(key, to: value.description), "\(key) = \(value) cannot be read again")
                    try hold(copy[key]?.description == value.description, "\(key) = \(value) changes when read again")
                    if case .size(let mebibytes) = value { try hold(mebibytes > 0, "\(key) is \(mebibytes) MiB") }
                }
            }
            for (source, index) in [(nil, settings.index)] + settings.sources.map({ (SourceKey?($0.key), $0.value) }) {
                if let source { try hold(SourceKey(source.text) == source, "'\(source.text)' is no source") }
                for key in IndexSettings.Key.allCases {
                    guard let value = index.text(key) else { continue }
                    found += 1
                    try value.mustBeShowable("\(key)")
                    // What is escaped to be shown is another pattern.
                    let shown = ((index.exclude ?? []) + (index.include ?? [])).allSatisfy {
                        $0.text == Array($0.description.utf8)
                    }
                    guard shown, value.utf8.count < 4096 else { continue }
                    let again = try Settings(text: "[index]\n\(key.rawValue) = \(value)\n", file: "config").index
                    try hold(again.text(key) == value, "\(key) = \(value) changes when read again")
                }
            }
            try hold(found == wanted, "\(wanted) lines set something, \(found) settings are in force")
            try hold(settings.plugins.count + settings.sources.count <= groups, "there are more settings than groups")
        })
    /// The lines of key files, as Vitrine sees them and as GLib does.
    static let keyFile = FuzzTarget(
        name: "key-file", maximumLength: 2048,
        seeds: { [Array("[a b]\n# c\nkey = value\r\nother-key=\n\n[c]\nkey=1\n".utf8)] },
        words: ["[", "]", "=", "#", "\n", "\r\n", " ", "\t", "[a]\n", "key=", "-", "\u{301}", "[de]", "\\"],
        check: { bytes in
            guard let text = String(validating: bytes, as: UTF8.self), !bytes.contains(0) else { return }
            let lines: [KeyFileText.Place: Int]
            do throws(KeyFileText.Objection) { lines = try KeyFileText(text).lines } catch {
                let count = bytes.split(separator: 0x0A, omittingEmptySubsequences: false).count
                try hold(1...count ~= error.line, "line \(error.line) of \(count) is objected to")
                return try error.clause.mustBeShowable("an objection")
            }
            let keys = g_key_file_new()
            defer { g_key_file_free(keys) }
            // What GLib refuses is refused as a whole.
            guard g_key_file_load_from_data(keys, text, gsize(text.utf8.count), G_KEY_FILE_NONE, nil) != 0 else {
                return
            }
            for place in lines.keys {
                let isThere =
                    place.key.isEmpty
                    ? g_key_file_has_group(keys, place.group) : g_key_file_has_key(keys, place.group, place.key, nil)
                try hold(isThere != 0, "GLib has no [\(place.group)] \(place.key)")
            }
            var count: gsize = 0
            let groups = g_key_file_get_groups(keys, &count)
            defer { g_strfreev(groups) }
            try hold(Int(count) == lines.keys.count { $0.key.isEmpty }, "GLib has \(count) groups")
            var found = 0
            for index in 0..<Int(count) {
                var of: gsize = 0
                g_strfreev(g_key_file_get_keys(keys, groups?[index], &of, nil))
                found += Int(of)
            }
            try hold(found == lines.keys.count { !$0.key.isEmpty }, "GLib has \(found) keys")
        })
}

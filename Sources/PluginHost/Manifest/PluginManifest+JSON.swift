import JSON
public import VitrineKit

extension PluginManifest {
    /// Parses a manifest.
    /// - Parameters:
    ///   - json: the content of `plugin.json`.
    ///   - file: its path, for sentences.
    /// - Throws: `invalidArgument` with a sentence that names file and field; `pluginUnavailable` when the plugin
    ///   was made for another ABI than this one.
    public init(json: [UInt8], file: String) throws(PluginError) {
        func refused(_ clause: String) -> PluginError {
            PluginError(.invalidArgument, "the manifest '\(DisplayText.of(file))' is refused: \(clause)")
        }
        guard json.count <= Self.maximumSize else {
            throw refused("it has \(json.count) bytes; at most \(Self.maximumSize) are read")
        }
        // Also keeps out other encodings than UTF-8.
        guard !json.contains(0) else { throw refused("it holds a NUL byte; JSON in UTF-8 is wanted") }
        let fields: ManifestObject<Field>
        let abi: Int
        do throws(ManifestFault) {
            fields = try ManifestObject(Self.value(of: json))
            abi = try fields.wholeNumber(.abi)
        } catch {
            throw refused(error.clause)
        }
        // What else a manifest of another ABI says may not be understood here, so this comes first.
        guard abi == VITRINE_PLUGIN_ABI else {
            throw PluginError(
                .pluginUnavailable,
                "the manifest '\(DisplayText.of(file))' is refused: the plugin was made for plugin ABI \(abi), and "
                    + "this version of Vitrine has ABI \(VITRINE_PLUGIN_ABI); "
                    + "install a version of the plugin that fits")
        }
        do throws(ManifestFault) { try self.init(fields) } catch { throw refused(error.clause) }
    }

    /// The manifest as JSON, before anything is known of its fields.
    static func value(of json: [UInt8]) throws(ManifestFault) -> JSONValue {
        // Some editors begin files so (RFC 8259, section 8.1).
        let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
        do throws(JSONRefusal) {
            return try JSONValue(
                json.starts(with: mark) ? Array(json.dropFirst(mark.count)) : json, most: maximumSize, isStrict: true)
        } catch {
            switch error {
            case .damaged(let line):
                throw ManifestFault(
                    "it is not valid JSON in line \(line); 'python3 -m json.tool plugin.json' says more")
            case .tooLarge:
                throw ManifestFault("the lists and objects of its JSON lie too deep in one another")
            }
        }
    }
}

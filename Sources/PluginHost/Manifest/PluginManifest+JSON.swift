import FoundationEssentials
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
        do {
            let decoder = JSONDecoder()
            let data = Data(json)
            // What else a manifest of another ABI says may not be understood here, so this comes first.
            let abi = try decoder.decode(ABI.self, from: data).abi.value
            guard abi == VITRINE_PLUGIN_ABI else {
                throw PluginError(
                    .pluginUnavailable,
                    "the manifest '\(DisplayText.of(file))' is refused: the plugin was made for plugin ABI \(abi), and "
                        + "this version of Vitrine has ABI \(VITRINE_PLUGIN_ABI); "
                        + "install a version of the plugin that fits")
            }
            self = try decoder.decode(PluginManifest.self, from: data)
        } catch let error as PluginError {
            throw error
        } catch let error as DecodingError {
            throw refused(Self.clause(for: error))
        } catch {
            throw refused("it cannot be read as JSON")
        }
    }

    private struct ABI: Decodable { var abi: WholeNumber }

    /// What is wrong, as a clause that names the field.
    private static func clause(for error: DecodingError) -> String {
        switch error {
        case .keyNotFound(let key, let context): "field '\(path(context.codingPath + [key]))' is missing"
        case .valueNotFound(let type, let context):
            "field '\(path(context.codingPath))': null was found, \(word(for: type)) is wanted"
        case .typeMismatch(_, let context) where context.codingPath.isEmpty: "it is not a JSON object"
        case .typeMismatch(let type, let context): "field '\(path(context.codingPath))': \(word(for: type)) is wanted"
        case .dataCorrupted(let context) where context.codingPath.isEmpty:
            "it is not valid JSON\(detail(context)); 'python3 -m json.tool plugin.json' says where"
        case .dataCorrupted(let context):
            "field '\(path(context.codingPath))': \(DisplayText.of(context.debugDescription))"
        @unknown default: "it cannot be read as JSON"
        }
    }

    /// What the decoder knows besides that it is none.
    private static func detail(_ context: DecodingError.Context) -> String {
        context.underlyingError.map { ": " + DisplayText.of(String(describing: $0)) } ?? ""
    }

    /// `limits.seconds`, `magic[2].bytes`.
    private static func path(_ keys: [any CodingKey]) -> String {
        keys.reduce(into: "") { text, key in
            if let index = key.intValue {
                text += "[\(index)]"
            } else {
                text += (text.isEmpty ? "" : ".") + DisplayText.of(key.stringValue)
            }
        }
    }

    private static func word(for type: any Any.Type) -> String {
        switch type {
        case is String.Type: "text"
        case is Bool.Type: "true or false"
        case is Double.Type: "a number"
        case is any RangeReplaceableCollection.Type: "a list"
        default: "an object"
        }
    }
}

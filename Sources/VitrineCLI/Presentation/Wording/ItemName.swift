import PlaceNames
import VitrineKit

/// URIs as people read them.
enum ItemName {
    /// The last part.
    static func short(_ uri: String) -> String {
        let name = String(uri[(uri.lastIndex(of: "/").map { uri.index(after: $0) } ?? uri.startIndex)...])
        return PercentEncoding.decode(name).map { DisplayText.of($0) } ?? DisplayText.of(name)
    }

    /// The path of a local file, else the URI.
    static func long(_ uri: String) -> String { PlaceName.of(uri) }

    /// Why there is no preview of something, as a line: its name first, unless the reason names it as well.
    static func reason(_ uri: String, _ error: PluginError) -> String {
        let (name, message) = (long(uri), DisplayText.of(error.message))
        return message.contains("'\(name)'") ? message : "\(name): \(message)"
    }
}

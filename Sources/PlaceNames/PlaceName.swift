public import VitrineKit

/// What people read in place of the URI of a file, folder or source.
///
/// Of what lies on this machine it is the path, whatever its URI writes with percent signs; of a member of an archive of this
/// machine `archive:/folder/photos.zip!/1.jpg`; of all else the URI. All of it can be typed on a command line, unless its name
/// is not UTF-8 or holds what a terminal must not get.
public enum PlaceName {
    /// - Parameter uri: any text.
    /// - Returns: a name that is safe to show.
    public static func of(_ uri: String) -> String {
        if uri.hasPrefix(local) { return decoded(uri.dropFirst(local.utf8.count)) ?? DisplayText.of(uri) }
        guard uri.hasPrefix(archive + local) else { return DisplayText.of(uri) }
        let rest = uri.dropFirst((archive + local).utf8.count)
        // What would be read as the end of the archive's own path stays encoded.
        let path = rest.prefix { $0 != "!" }
        guard !path.contains("%21"), let shown = decoded(rest) else { return DisplayText.of(uri) }
        return archive + shown
    }

    /// - Parameter uri: any URI.
    /// - Returns: a name that is safe to show.
    public static func of(_ uri: SourceURI) -> String { of(uri.text) }

    private static let local = "file://"
    private static let archive = "archive:"

    private static func decoded(_ text: Substring) -> String? {
        PercentEncoding.decode(String(text)).map { DisplayText.of($0) }
    }
}

public import Catalog
import Glibc
public import VitrineKit

extension UserLibrary {
    /// Refuses a local file that was mistyped, so that nothing is kept about what never was.
    ///
    /// What the catalog knows may be gone, and so may all that lies in a source that is not there now, such as a disk that
    /// is not plugged in. Of other storages nobody is asked: a note needs no network.
    /// - Parameters:
    ///   - uri: an item or a folder.
    ///   - catalog: opens the catalog; called only when the file is not there.
    /// - Throws: `notFound`, and what the library and the catalog say.
    public func check(
        isKnown uri: SourceURI, catalog: () throws(PluginError) -> Catalog
    ) throws(PluginError) {
        guard uri.scheme == "file", !Self.isThere(uri) else { return }
        let catalog = try catalog()
        if !(try catalog.items([uri.text])).isEmpty { return }
        for text in try library.sources().map(\.uri) + (try catalog.sources().map(\.uri)) {
            if let source = try? SourceURI(text), uri.path(below: source) != nil, !Self.isThere(source) { return }
        }
        throw PluginError(
            .notFound,
            "there is no file '\(DisplayText.of(uri.path))', and Vitrine has not seen one there; look whether the name is right"
        )
    }

    /// Whether a local file can be there: also when nobody may look.
    private static func isThere(_ uri: SourceURI) -> Bool {
        guard uri.scheme == "file" else { return true }
        var status = stat()
        return lstat(uri.path.map { CChar(bitPattern: $0) } + [0], &status) == 0
            || (errno != ENOENT && errno != ENOTDIR)
    }
}

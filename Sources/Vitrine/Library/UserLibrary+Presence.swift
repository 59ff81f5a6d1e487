public import Catalog
import Glibc
import Library
public import VitrineKit

extension UserLibrary {
    /// Refuses a local file that was mistyped, so that nothing is kept about what never was.
    ///
    /// What the catalog knows, or the library itself, may be gone, and so may all that lies in a source that is not there
    /// now, such as a disk that is not plugged in. The catalog remembers what vanished for its grace time. Of other storages
    /// nobody is asked: a note needs no network.
    /// - Parameters:
    ///   - uri: an item or a folder.
    ///   - catalog: opens the catalog, if there is one; called only when the file is not there and the library knows nothing
    ///     of it.
    /// - Throws: `notFound`, and what the library says. A catalog that fails knows nothing.
    public func check(isKnown uri: SourceURI, catalog: () -> Catalog?) throws(PluginError) {
        guard uri.scheme == "file", !Self.isThere(uri) else { return }
        if try library.knows(uri.text) { return }
        if Self.mayBeAway(uri, in: try library.sources().map(\.uri)) { return }
        if let catalog = catalog() {
            if (try? catalog.hasSeen(uri)) == true { return }
            if let sources = try? catalog.sources(), Self.mayBeAway(uri, in: sources.map(\.uri)) { return }
        }
        throw PluginError(
            .notFound,
            "there is no file '\(DisplayText.of(uri.path))', and Vitrine has not seen one there; look whether the name is right"
        )
    }

    /// Whether a local file or folder is there, as far as can be told, if only a link to what is not.
    private static func isThere(_ uri: SourceURI) -> Bool {
        var status = stat()
        return lstat(uri.path.map { CChar(bitPattern: $0) } + [0], &status) == 0
            || (errno != ENOENT && errno != ENOTDIR)
    }

    private static func mayBeAway(_ uri: SourceURI, in sources: [String]) -> Bool {
        sources.contains { text in
            guard let source = try? SourceURI(text), source.scheme == "file", uri.path(below: source) != nil else {
                return false
            }
            return mayBeAway(source)
        }
    }

    /// Whether the disk of a local source may be elsewhere: its folder is missing, or without anything, as is one where a disk
    /// is mounted at other times.
    private static func mayBeAway(_ source: SourceURI) -> Bool {
        guard let folder = opendir(source.path.map { CChar(bitPattern: $0) } + [0]) else {
            return errno == ENOENT || errno == ENOTDIR
        }
        defer { closedir(folder) }
        while let entry = readdir(folder) {
            let name = withUnsafeBytes(of: &entry.pointee.d_name) { Array($0.prefix { $0 != 0 }) }
            if name != Array(".".utf8), name != Array("..".utf8) { return false }
        }
        return true
    }
}

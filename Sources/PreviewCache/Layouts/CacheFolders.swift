import BaseFolders
public import VitrineKit

/// Where previews lie. Paths are absolute, without a trailing `/`.
public struct CacheFolders: Hashable, Sendable {
    /// The thumbnail standard's store, shared with file managers.
    public var thumbnails: String
    /// Vitrine's own store, for every size, page and moment that the standard does not know.
    public var previews: String

    /// Names both folders; nothing is made yet.
    public init(thumbnails: String, previews: String) {
        self.thumbnails = thumbnails
        self.previews = previews
    }

    /// The folders of the XDG Base Directory Specification: `$XDG_CACHE_HOME/thumbnails` and
    /// `$XDG_CACHE_HOME/vitrine/previews`, by default below `~/.cache`.
    /// - Parameter environment: the process's variables.
    /// - Throws: `notFound` when there is no home either.
    public static func standard(environment: [String: String]) throws(PluginError) -> CacheFolders {
        guard let cache = BaseFolders(environment: environment).cache else {
            throw PluginError(
                .notFound, "there is no place for previews: set XDG_CACHE_HOME or HOME to an absolute path")
        }
        return CacheFolders(thumbnails: cache + "/thumbnails", previews: cache + "/vitrine/previews")
    }

    /// No place at all, for who makes pictures that are kept nowhere: nothing can lie below a device.
    public static let nowhere = CacheFolders(thumbnails: "/dev/null/thumbnails", previews: "/dev/null/vitrine/previews")
}

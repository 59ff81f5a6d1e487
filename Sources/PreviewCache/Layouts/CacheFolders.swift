import Glibc
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
    /// `$XDG_CACHE_HOME/vitrine/previews`. A relative value is ignored, as the specification wants, and
    /// `~/.cache` taken instead.
    /// - Parameter environment: the process's variables.
    /// - Throws: `invalidArgument` when there is no home either.
    public static func standard(environment: [String: String]) throws(PluginError) -> CacheFolders {
        let cache: String
        if let named = environment["XDG_CACHE_HOME"], named.hasPrefix("/") {
            cache = named
        } else if let home = environment["HOME"] ?? homeOfUser(), home.hasPrefix("/") {
            cache = home + "/.cache"
        } else {
            throw PluginError(
                .invalidArgument, "there is no place for previews: set XDG_CACHE_HOME or HOME to an absolute path")
        }
        let end = cache.utf8.reversed().prefix { $0 == UInt8(ascii: "/") }.count
        let base = cache.dropLast(end)
        return CacheFolders(thumbnails: base + "/thumbnails", previews: base + "/vitrine/previews")
    }

    private static func homeOfUser() -> String? {
        var record = passwd()
        var found: UnsafeMutablePointer<passwd>?
        return withUnsafeTemporaryAllocation(of: CChar.self, capacity: 16_384) { room in
            guard let start = room.baseAddress,
                getpwuid_r(getuid(), &record, start, room.count, &found) == 0, found != nil, let home = record.pw_dir
            else { return nil }
            return String(cString: home)
        }
    }
}

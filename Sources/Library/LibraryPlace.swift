import BaseFolders
import Glibc
public import VitrineKit

/// Where a library lies. Paths are absolute, without a trailing `/`.
public struct LibraryPlace: Hashable, Sendable {
    /// The folder of everything that Vitrine keeps for its user.
    public var folder: String

    /// Names the folder; nothing is made yet.
    public init(folder: String) { self.folder = folder }

    /// The database.
    public var file: String { folder + "/library.sqlite" }

    /// The copy of the database that is renewed once a day.
    public var backup: String { folder + "/library.sqlite.backup" }

    /// Where the copies of a collection's remote items lie.
    /// - Parameter collection: the name of a collection, which is always the name of a file too.
    public func folder(of collection: String) -> String { "\(folder)/collections/\(collection)" }

    /// The folder of the XDG Base Directory Specification: `$XDG_DATA_HOME/vitrine`, by default
    /// `~/.local/share/vitrine`.
    /// - Parameter environment: the process's variables.
    /// - Throws: `notFound` when there is no home either.
    public static func standard(environment: [String: String]) throws(PluginError) -> LibraryPlace {
        guard let data = BaseFolders(environment: environment).data else {
            throw PluginError(
                .notFound,
                "there is no place for sources, collections and notes: set XDG_DATA_HOME or HOME to an absolute path")
        }
        return LibraryPlace(folder: data + "/vitrine")
    }

    /// Makes a folder, and those above it, for the user alone. One that is there already is left as it is.
    /// - Throws: what the system says, with the folder's name.
    public static func make(_ folder: String) throws(PluginError) {
        if mkdir(folder, 0o700) == 0 || errno == EEXIST { return }
        let reason = errno
        let slash = folder.utf8.lastIndex(of: UInt8(ascii: "/")) ?? folder.startIndex
        if reason == ENOENT, slash != folder.startIndex {
            try make(String(folder[..<slash]))
            if mkdir(folder, 0o700) == 0 || errno == EEXIST { return }
        }
        let error = PluginError(errno: errno, "cannot make the folder '\(DisplayText.of(folder))'")
        guard error.code == .forbidden else { throw error }
        throw PluginError(
            error.code, error.message + "; let it be made, or name a folder that you may write to in XDG_DATA_HOME")
    }
}

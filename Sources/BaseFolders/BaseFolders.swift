import Glibc

/// The folders of the XDG Base Directory Specification in which programs keep what is their user's: one place for all that
/// ask for them.
///
/// Paths are absolute, without a trailing `/`; nothing is made. A variable that is empty or relative is as good as none, as the
/// specification wants, and so is such a `HOME`: then it is the home that the system has on record for the user, as it is for
/// other programs of the desktop.
public struct BaseFolders: Hashable, Sendable {
    /// What can be made anew: `$XDG_CACHE_HOME`, by default `~/.cache`. `nil` when there is no home either, as for all of them.
    public let cache: String?
    /// Settings: `$XDG_CONFIG_HOME`, by default `~/.config`.
    public let config: String?
    /// What the user would miss: `$XDG_DATA_HOME`, by default `~/.local/share`.
    public let data: String?

    /// Finds the folders of this process's user.
    /// - Parameters:
    ///   - environment: the process's variables.
    ///   - homeOnRecord: asked for the home where no variable tells. Default: the system's database of users.
    public init(environment: [String: String], homeOnRecord: () -> String? = BaseFolders.homeOnRecord) {
        func variable(_ name: String) -> String? {
            guard let path = environment[name], path.hasPrefix("/") else { return nil }
            return Self.trimmed(path)
        }
        let named = ["XDG_CACHE_HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME"].map(variable)
        var home = variable("HOME")
        // Asking the database may mean asking a server.
        if home == nil, named.contains(nil), let known = homeOnRecord(), known.hasPrefix("/") {
            home = Self.trimmed(known)
        }
        cache = named[0] ?? home.map { $0 + "/.cache" }
        config = named[1] ?? home.map { $0 + "/.config" }
        data = named[2] ?? home.map { $0 + "/.local/share" }
    }

    /// The home of this process's user in the system's database; `nil` when it does not know the user.
    public static func homeOnRecord() -> String? {
        var record = passwd()
        var found: UnsafeMutablePointer<passwd>?
        return withUnsafeTemporaryAllocation(of: CChar.self, capacity: 16_384) { room in
            guard let start = room.baseAddress,
                getpwuid_r(getuid(), &record, start, room.count, &found) == 0, found != nil, let home = record.pw_dir
            else { return nil }
            return String(cString: home)
        }
    }

    private static func trimmed(_ path: String) -> String {
        String(path.dropLast(path.utf8.reversed().prefix { $0 == UInt8(ascii: "/") }.count))
    }
}

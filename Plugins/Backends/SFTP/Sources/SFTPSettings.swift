import Glibc
import Transfer
import VitrineKit

/// Where a source lies and how its server is spoken to.
struct SFTPSettings: Sendable {
    /// Without brackets around an IPv6 address.
    let host: String
    let port: UInt16
    let user: String
    /// The root on the server, as a path that the server resolves: absolute, or relative to the user's home.
    let root: [UInt8]
    let followsLinks: Bool
    /// For a password, and for whatever asks for one.
    let password: String?
    let keyFile: String?
    let passphrase: String?
    /// The socket of an agent; empty for none.
    let agent: String
    let knownHosts: String
    /// Whether the system's own file of known hosts counts as well.
    let usesSystemHosts: Bool
    /// Keys and known hosts of the user.
    let folder: String
    let policy: TransferPolicy
    /// For the server to let the user in once it is connected: many answers, and arithmetic on both sides.
    var logInTime: Duration { policy.connectTimeout + policy.stallTimeout }

    /// The server as people may see it.
    var server: String {
        let name = host.contains(":") ? "[\(host)]" : host
        return DisplayText.of(port == 22 ? name : "\(name):\(port)")
    }

    init(_ source: SourceURI, _ settings: BackendSettings) throws(PluginError) {
        let values = settings.values
        let shown = DisplayText.of(source.text)
        try source.checkNoQuery()
        guard source.scheme == "sftp", let authority = source.authority, !authority.isEmpty else {
            throw PluginError(.invalidArgument, "'\(shown)' names no server: write sftp://user@host/path")
        }
        let (user, host, port) = try Self.parts(authority)
        self.host = host
        self.port = port
        let account = Self.account()
        guard let name = values["user"] ?? user ?? account.user, Self.isSound(name), !name.isEmpty else {
            throw PluginError(.invalidArgument, "'\(shown)' names no user: write sftp://user@host/path")
        }
        self.user = name
        root = try Self.root(source.path)
        followsLinks = settings.followsLinks
        password = values["password"]
        keyFile = values["key-file"]
        passphrase = values["passphrase"]
        agent = values["agent"] ?? getenv("SSH_AUTH_SOCK").map { String(cString: $0) } ?? ""
        folder = (account.home ?? "") + "/.ssh"
        knownHosts = values["known-hosts"] ?? folder + "/known_hosts"
        usesSystemHosts = values["known-hosts"] == nil
        for text in [password, keyFile, passphrase, agent, knownHosts].compactMap({ $0 }) where text.utf8.contains(0) {
            throw PluginError(.invalidArgument, "a setting of '\(shown)' holds a NUL byte")
        }
        var policy = try TransferPolicy(settings: settings, schemes: ["sftp"])
        // Each costs the server a process.
        if values["connections"] == nil { policy.connections = 4 }
        self.policy = policy
    }

    /// Takes `user@host:port` apart.
    private static func parts(_ authority: String) throws(PluginError) -> (String?, String, UInt16) {
        var rest = authority[...]
        var user: String?
        if let at = rest.lastIndex(of: "@") {
            let name = rest[..<at]
            rest = rest[rest.index(after: at)...]
            guard !name.contains(":") else {
                throw PluginError(
                    .invalidArgument, "the URI of an SFTP server holds a password: write it into the source's settings")
            }
            user = PercentEncoding.decode(name).map { String(decoding: $0, as: UTF8.self) }
        }
        var port: UInt16 = 22
        let isAddress = rest.hasPrefix("[")
        let end = isAddress ? rest.firstIndex(of: "]").map { rest.index(after: $0) } : rest.firstIndex(of: ":")
        if let end, end < rest.endIndex {
            guard rest[end] == ":", let number = UInt16(rest[rest.index(after: end)...]), number > 0 else {
                throw PluginError(.invalidArgument, "'\(DisplayText.of(String(rest)))' has no port between 1 and 65535")
            }
            port = number
            rest = rest[..<end]
        }
        let host = isAddress ? rest.dropFirst().dropLast() : rest
        // A name that begins with a dash would be an option to somebody.
        guard !host.isEmpty, !host.hasPrefix("-"), isSound(String(host)) else {
            throw PluginError(.invalidArgument, "'\(DisplayText.of(authority))' names no host")
        }
        return (user, String(host), port)
    }

    /// `/~/x` is `x` in the user's home, as other programs read it.
    private static func root(_ path: [UInt8]) throws(PluginError) -> [UInt8] {
        let components = path.split(separator: UInt8(ascii: "/"))
        let checked = try ItemPath(Array(components.joined(separator: [UInt8(ascii: "/")])))
        guard components.first.map({ Array($0) }) == [UInt8(ascii: "~")] else {
            return [UInt8(ascii: "/")] + checked.bytes
        }
        return [UInt8(ascii: ".")] + checked.bytes.dropFirst()
    }

    private static func isSound(_ text: String) -> Bool { text.utf8.allSatisfy { $0 > 0x20 && $0 != 0x7F } }

    /// Whom the system takes this process for.
    private static func account() -> (user: String?, home: String?) {
        var entry = passwd()
        var found: UnsafeMutablePointer<passwd>?
        var room = [CChar](repeating: 0, count: 16 << 10)
        guard getpwuid_r(geteuid(), &entry, &room, room.count, &found) == 0, found != nil else {
            return (nil, getenv("HOME").map { String(cString: $0) })
        }
        let home = getenv("HOME") ?? entry.pw_dir
        return (entry.pw_name.map { String(cString: $0) }, home.map { String(cString: $0) })
    }
}

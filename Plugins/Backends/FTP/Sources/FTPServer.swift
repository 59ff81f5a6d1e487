import CCurl
import Transfer
import VitrineKit

/// A server, and the root of a source on it.
struct FTPServer: Sendable {
    let policy: TransferPolicy
    /// The folder of the root, with a slash at its end; percent-encoded.
    private let base: String
    private let security: Security

    /// How much of what is sent is kept from others, on servers of `ftp`.
    enum Security: Int, Sendable {
        case never, ifOffered, control, always
    }

    init(_ source: SourceURI, _ settings: BackendSettings) throws(PluginError) {
        let shown = DisplayText.of(source.text)
        try source.checkNoQuery()
        guard source.scheme == "ftp" || source.scheme == "ftps", let authority = source.authority, !authority.isEmpty
        else { throw PluginError(.invalidArgument, "'\(shown)' names no server: write ftp://host/path") }
        var settings = settings
        var host = authority[...]
        if let at = authority.lastIndex(of: "@") {
            let user = authority[..<at]
            guard !user.contains(":"), let name = PercentEncoding.decode(user) else {
                throw PluginError(
                    .invalidArgument, "the URI of an FTP server holds a password: write it into the source's settings")
            }
            host = authority[authority.index(after: at)...]
            if settings.values["user"] == nil { settings.values["user"] = String(decoding: name, as: UTF8.self) }
        }
        // It would begin another command.
        for name in ["user", "password"] where settings.values[name]?.utf8.contains(where: { $0 < 0x20 }) == true {
            throw PluginError(.invalidArgument, "the setting '\(name)' holds a control character")
        }
        security =
            switch settings.values["tls"] ?? "try" {
            case "never": .never
            case "try": .ifOffered
            case "always": .always
            default: throw PluginError(.invalidArgument, "the setting 'tls' is one of try, always and never")
            }
        var policy = try TransferPolicy(settings: settings, schemes: [source.scheme])
        // Servers allow few.
        if settings.values["connections"] == nil { policy.connections = 4 }
        self.policy = policy
        // A second slash at the beginning makes the path absolute (RFC 1738, section 3.2.2).
        let slash = UInt8(ascii: "/")
        let isAbsolute = source.path.starts(with: [slash, slash])
        let components = source.path.split(separator: slash)
        let checked = try ItemPath(Array(components.joined(separator: [slash])))
        try Self.check(checked)
        base =
            "\(source.scheme)://\(host)/" + (isAbsolute ? "%2F" : "") + Self.encode(checked.bytes)
            + (checked.isRoot ? "" : "/")
    }

    /// Its name and port.
    var name: String { get throws(PluginError) { try TransferURL(base).server } }

    /// A request about a folder.
    func folder(_ path: ItemPath, method: String?, purpose: String) throws(PluginError) -> TransferRequest {
        try Self.check(path)
        let url = base + Self.encode(path.bytes) + (path.isRoot ? "" : "/")
        return try request(url, method, purpose)
    }

    /// A request about a file.
    func file(
        _ path: ItemPath, method: String? = nil, range: String? = nil, purpose: String
    ) throws(PluginError) -> TransferRequest {
        try Self.check(path)
        return try request(base + Self.encode(path.bytes), method, range: range, purpose)
    }

    private func request(
        _ url: String, _ method: String?, range: String? = nil, _ purpose: String
    ) throws(PluginError) -> TransferRequest {
        var request = TransferRequest(try TransferURL(url), method: method, purpose: purpose)
        request.isIdempotent = true
        // Whatever is wrong ends the transfer: there is no head that could tell.
        request.accepted = { _ in true }
        let security = security.rawValue
        let patience = max(1, Int(policy.stallTimeout.components.seconds))
        request.configure = { handle in
            handle.set(CURLOPT_USE_SSL, security)
            // One change of the folder, instead of one for each name in the path.
            handle.set(CURLOPT_FTP_FILEMETHOD, 3)
            // The server may not send this side to another address.
            handle.set(CURLOPT_FTP_SKIP_PASV_IP, 1)
            handle.set(CURLOPT_FILETIME, 1)
            // To a command: only of data libcurl notices by itself that nothing comes.
            handle.set(CURLOPT_SERVER_RESPONSE_TIMEOUT, patience)
            handle.set(CURLOPT_RANGE, range)
        }
        return request
    }

    /// Commands are lines.
    private static func check(_ path: ItemPath) throws(PluginError) {
        guard path.bytes.allSatisfy({ $0 >= 0x20 && $0 != 0x7F }) else {
            throw PluginError(.notFound, "\(path.shown) holds a control character, which FTP cannot name")
        }
    }

    /// Nothing but letters and digits is left as it is: libcurl reads `;type=` out of a path.
    private static func encode(_ path: [UInt8]) -> String {
        PercentEncoding.encode(path).split(separator: ";", omittingEmptySubsequences: false).joined(separator: "%3B")
    }
}

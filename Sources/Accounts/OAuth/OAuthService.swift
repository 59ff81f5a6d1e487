public import VitrineKit

/// Where a service logs people in with OAuth 2 (RFC 6749), as the manifest of a plugin declares it and an account's
/// settings change it.
///
/// | setting | meaning |
/// |---|---|
/// | `client-id` | what the service calls the program; public (RFC 6749, section 2.2) |
/// | `scopes` | what is asked for, separated by blanks |
/// | `redirect-port` | the port of this machine to which the browser is sent back; 0 for any |
/// | `authorization-url`, `token-url`, `device-url`, `revocation-url` | the service's addresses, for a proxy before it |
/// | `ca-file` | certificates of further authorities, in PEM |
public struct OAuthService: Hashable, Sendable {
    /// What people call it.
    public var name: String
    /// The page on which people agree; `nil` when there is none.
    public var authorization: String?
    /// Where tokens are given out.
    public var token: String
    /// Where a code for people is given out (RFC 8628); `nil` when there is none.
    public var device: String?
    /// Where tokens are taken back (RFC 7009); `nil` when nobody does.
    public var revocation: String?
    /// What is asked for. Default: what the service gives by itself.
    public var scopes: [String]
    /// What the service calls the program; `nil` until the user says it.
    public var clientID: String?
    /// Whether the program proves who it is with a secret, which the user is asked for.
    public var needsSecret: Bool
    /// Where the browser is sent back to; 0 is any port.
    public var redirectPort: UInt16
    /// Certificates of further authorities.
    public var caFile: String?

    /// Describes a service.
    public init(
        name: String, authorization: String? = nil, token: String, device: String? = nil, revocation: String? = nil,
        scopes: [String] = [], clientID: String? = nil, needsSecret: Bool = false, redirectPort: UInt16 = 0
    ) {
        self.name = name
        self.authorization = authorization
        self.token = token
        self.device = device
        self.revocation = revocation
        self.scopes = scopes
        self.clientID = clientID
        self.needsSecret = needsSecret
        self.redirectPort = redirectPort
    }

    /// The settings that ``changed(by:)`` reads, and the secret that proves who the program is.
    public static let settings = [
        "client-id", "client-secret", "scopes", "redirect-port", "authorization-url", "token-url", "device-url",
        "revocation-url", "ca-file",
    ]

    /// The service as an account's settings change it.
    /// - Parameter values: the settings of the account.
    /// - Throws: `invalidArgument` for an address that is not safe, or a setting that makes no sense.
    public func changed(by values: [String: String]) throws(PluginError) -> OAuthService {
        var changed = self
        changed.authorization = values["authorization-url"] ?? authorization
        changed.token = values["token-url"] ?? token
        changed.device = values["device-url"] ?? device
        changed.revocation = values["revocation-url"] ?? revocation
        changed.clientID = values["client-id"] ?? clientID
        changed.caFile = values["ca-file"]
        if let scopes = values["scopes"] { changed.scopes = scopes.split(separator: " ").map(String.init) }
        if let text = values["redirect-port"] {
            guard let port = UInt16(text) else {
                throw PluginError(.invalidArgument, "the setting 'redirect-port' is a number from 0 to 65535")
            }
            changed.redirectPort = port
        }
        for address in [changed.authorization, changed.token, changed.device, changed.revocation].compactMap({ $0 }) {
            try Self.check(address)
        }
        return changed
    }

    /// Checks an address that secrets are sent to: TLS, or this machine itself, and nothing in it that is one.
    /// - Throws: `invalidArgument` with the reason.
    public static func check(_ address: String) throws(PluginError) {
        let uri = try? SourceURI(address)
        let host = uri?.authority ?? ""
        let isSafe = uri?.scheme == "https" || (uri?.scheme == "http" && isThisMachine(host))
        let isPlain = address.utf8.allSatisfy { 0x21...0x7E ~= $0 } && address.utf8.count <= 2048
        guard isSafe, isPlain, !host.isEmpty, !host.contains("@"), !address.contains("#") else {
            throw PluginError(
                .invalidArgument,
                "'\(DisplayText.of(String(address.prefix(200))))' is no address to log in at: https://host/path is, and "
                    + "http: only on this machine itself")
        }
    }

    /// Whether nobody between can listen.
    static func isThisMachine(_ authority: String) -> Bool {
        let host = authority.split(separator: ":", omittingEmptySubsequences: false)
        let name = authority.hasPrefix("[::1]") ? "[::1]" : host.first.map(String.init) ?? ""
        return ["127.0.0.1", "localhost", "[::1]"].contains(name)
    }
}

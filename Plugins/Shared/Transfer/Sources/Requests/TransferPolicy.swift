public import VitrineKit

/// How a source's requests are made: the same for all of them.
///
/// These settings of a source (``BackendSettings/values``) are read by ``init(settings:schemes:)``:
///
/// | name | meaning | default |
/// |---|---|---|
/// | `user`, `password` | who asks; never part of a URI | nobody |
/// | `token` | a bearer token, instead of them | none |
/// | `auth` | `any`, `basic` or `digest` | `any`: what the server asks for |
/// | `ca-file` | certificates of further authorities, in PEM, besides those of the system | none |
/// | `connect-timeout`, `stall-timeout`, `timeout` | seconds: to connect, without a byte, for a request | 10, 20, 300 |
/// | `connections` | at the same time to one host, 1–32 | 6 |
/// | `rate` | requests a second at most, 0.01–1000 | no limit |
public struct TransferPolicy: Sendable {
    /// What libcurl may speak; nothing else is ever connected to.
    public var schemes: [String]
    /// Who asks.
    public var credentials = Credentials.none
    /// A file of certificates in PEM that are trusted besides the system's.
    public var caFile: String?
    /// For one connection to be made. Servers that log users in, as those of SFTP and mail, have ``stallTimeout`` besides for that.
    public var connectTimeout = Duration.seconds(10)
    /// How long nothing may come.
    public var stallTimeout = Duration.seconds(20)
    /// For one request as a whole. Waiting for a free connection is not counted.
    public var timeout = Duration.seconds(300)
    /// At the same time to one host. The least of all sources of a host and plugin counts.
    public var connections = 6
    /// Requests a second at most, tries again included; `nil`: no limit. Logging in and redirects are not counted.
    public var rate: Double?
    /// Of all heads of an answer together.
    public var maximumHeaderBytes = 64 << 10
    /// How often a request is tried.
    public var tries = 4
    /// The wait before the second try, at most; doubled for each further one.
    public var backOff = Duration.milliseconds(200)
    /// What a server may ask to wait for; asked for more, the request fails at once.
    public var longestWait = Duration.seconds(30)
    /// Redirects in a row that are followed, all on one host.
    public var redirects = 5
    /// What the program calls itself.
    public var userAgent = "Vitrine/1"

    /// The defaults, for nobody in particular.
    public init(schemes: [String]) { self.schemes = schemes }

    /// Reads the settings of a source.
    /// - Throws: `invalidArgument` for a value that makes no sense.
    public init(settings: BackendSettings, schemes: [String]) throws(PluginError) {
        self.init(schemes: schemes)
        let values = settings.values
        if let token = values["token"], !token.isEmpty {
            try Self.check(token, "token")
            credentials = .bearer(token)
        } else if let user = values["user"] {
            try Self.check(user, "user")
            credentials = .password(
                user: user, password: values["password"] ?? "", scheme: try Self.scheme(values["auth"] ?? "any"))
        }
        caFile = values["ca-file"]
        connectTimeout = try Self.seconds(values, "connect-timeout") ?? connectTimeout
        stallTimeout = try Self.seconds(values, "stall-timeout") ?? stallTimeout
        timeout = try Self.seconds(values, "timeout") ?? timeout
        if let text = values["connections"] {
            guard let number = Int(text), 1...32 ~= number else {
                throw PluginError(.invalidArgument, "the setting 'connections' is a number from 1 to 32")
            }
            connections = number
        }
        if let text = values["rate"] {
            guard let number = Double(text), 0.01...1000 ~= number else {
                throw PluginError(
                    .invalidArgument, "the setting 'rate' is a number of requests a second from 0.01 to 1000")
            }
            rate = number
        }
    }

    /// A line break in it would begin another header.
    private static func check(_ value: String, _ name: String) throws(PluginError) {
        guard value.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7F }) else {
            throw PluginError(.invalidArgument, "the setting '\(name)' holds a control character")
        }
    }

    private static func scheme(_ text: String) throws(PluginError) -> Credentials.Scheme {
        switch text {
        case "any": return .any
        case "basic": return .basic
        case "digest": return .digest
        default: throw PluginError(.invalidArgument, "the setting 'auth' is one of any, basic and digest")
        }
    }

    private static func seconds(_ values: [String: String], _ name: String) throws(PluginError) -> Duration? {
        guard let text = values[name] else { return nil }
        guard let number = Double(text), 0.1...86_400 ~= number else {
            throw PluginError(.invalidArgument, "the setting '\(name)' is a number of seconds from 0.1 to 86400")
        }
        return .seconds(number)
    }
}

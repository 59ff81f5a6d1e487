import Transfer
import VitrineKit

/// A server of mailboxes, and the root of a source on it.
struct MailServer: Sendable {
    let policy: TransferPolicy
    let url: TransferURL
    let isPOP: Bool
    let security: LineConnection.Security
    /// Who asks, where a token does not say it.
    let user: String?
    /// Names of the mailbox at the root; empty for all.
    let root: [[UInt8]]

    init(_ source: SourceURI, _ settings: BackendSettings) throws(PluginError) {
        let shown = DisplayText.of(source.text)
        guard let authority = source.authority, !authority.isEmpty else {
            throw PluginError(.invalidArgument, "'\(shown)' names no server: write \(source.scheme)://host/mailbox")
        }
        isPOP = source.scheme.hasPrefix("pop3")
        var settings = settings
        var host = authority[...]
        if let at = authority.lastIndex(of: "@") {
            let name = authority[..<at]
            guard !name.contains(":"), !name.contains(";"), let user = PercentEncoding.decode(name) else {
                throw PluginError(
                    .invalidArgument, "the URI of a mail server holds a password: write it into the source's settings")
            }
            host = authority[authority.index(after: at)...]
            if settings.values["user"] == nil { settings.values["user"] = String(decoding: user, as: UTF8.self) }
        }
        user = settings.values["user"]
        // They would begin another command.
        for name in ["user", "password"] where settings.values[name]?.utf8.contains(where: { $0 < 0x20 }) == true {
            throw PluginError(.invalidArgument, "the setting '\(name)' holds a control character")
        }
        var policy = try TransferPolicy(settings: settings, schemes: [source.scheme])
        // Servers allow few; a mailbox of POP3 is one user's at a time.
        if isPOP { policy.connections = 1 } else if settings.values["connections"] == nil { policy.connections = 3 }
        self.policy = policy
        url = try TransferURL("\(source.scheme)://\(host)/")
        security = try Self.security(source, url)
        root = source.path.split(separator: UInt8(ascii: "/")).map { Array($0) }
        guard root.isEmpty || !isPOP else {
            throw PluginError(
                .invalidArgument, "'\(shown)' names a mailbox, but POP3 has only one: write \(source.scheme)://host")
        }
    }

    /// TLS, but on this machine itself, or where the URI says `?tls=never`.
    private static func security(_ source: SourceURI, _ url: TransferURL) throws(PluginError) -> LineConnection.Security
    {
        if source.scheme.hasSuffix("s") {
            guard source.query == nil else {
                throw PluginError(
                    .invalidArgument, "'\(DisplayText.of(source.text))' always begins with TLS: leave the '?' out")
            }
            return .always
        }
        switch source.query {
        case nil: return isLoopback(url.host) ? .never : .always
        case "tls=never": return .never
        case "tls=always": return .always
        default:
            throw PluginError(
                .invalidArgument, "behind the '?' of '\(DisplayText.of(source.text))' may stand tls=always or tls=never"
            )
        }
    }

    private static func isLoopback(_ host: String) -> Bool {
        if host == "localhost" || host == "[::1]" { return true }
        let numbers = host.split(separator: ".", omittingEmptySubsequences: false).map { UInt8($0) }
        return numbers.count == 4 && numbers[0] == 127 && !numbers.contains(nil)
    }

    /// Connects and logs in.
    func connect() throws(TransferFailure) -> LineConnection {
        let server = url.server
        return try LineConnection(url, policy, security: security, user: user) { talk in
            guard let last = talk.split(whereSeparator: \.isNewline).last else { return nil }
            let meaning = ServerAnswer.meaning(String(last))
            guard meaning.code != .io else { return nil }
            return TransferFailure(
                PluginError(meaning.code, "cannot log in: '\(server)' \(meaning.reason)"), isPassing: meaning.isPassing,
                isOfSource: meaning.isPassing)
        }
    }
}

/// What a server means that refuses something, by the code in its answer (RFC 5530, RFC 3206) or by its words.
struct ServerAnswer {
    var code: PluginError.Code
    var reason: String
    var isPassing = false

    static func meaning(_ text: String) -> ServerAnswer {
        let upper = text.uppercased()
        func has(_ codes: String...) -> Bool { codes.contains { upper.contains("[" + $0) } }
        let isBusy =
            has("THROTTLED", "LIMIT", "INUSE", "IN-USE", "LOGIN-DELAY") || upper.contains("TOO MANY")
            || upper.contains("MAXIMUM NUMBER OF CONNECTIONS") || upper.contains("RATE LIMIT")
        if isBusy {
            return ServerAnswer(
                code: .throttled, reason: "has too much to do, or too many connections of this user", isPassing: true)
        }
        if has("UNAVAILABLE", "SYS/TEMP", "SERVERBUG") {
            return ServerAnswer(code: .offline, reason: "is not available at the moment", isPassing: true)
        }
        if has("NONEXISTENT", "TRYCREATE") { return ServerAnswer(code: .notFound, reason: "has no such mailbox") }
        if has("NOPERM", "SYS/PERM") { return ServerAnswer(code: .forbidden, reason: "does not allow it to this user") }
        if has("AUTHENTICATIONFAILED", "AUTHORIZATIONFAILED", "EXPIRED", "AUTH]") {
            return ServerAnswer(code: .unauthorized, reason: "does not accept the user, password or token")
        }
        if has("PRIVACYREQUIRED") {
            return ServerAnswer(code: .forbidden, reason: "wants TLS first: use imaps, pop3s or ?tls=always")
        }
        return ServerAnswer(code: .io, reason: "refused it: '\(DisplayText.of(String(text.prefix(200))))'")
    }
}

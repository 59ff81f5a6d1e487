import CCurl
public import VitrineKit

/// An address on a server, without credentials. Parsed by libcurl, which also connects to it, so that nobody can be
/// talked into another host by two readings of one text.
public struct TransferURL: Hashable, Sendable {
    /// The whole address, percent-encoded.
    public let text: String
    /// The scheme in lower case.
    public let scheme: String
    /// The host in lower case; an IPv6 address in brackets.
    public let host: String
    /// The port, also where the scheme implies it.
    public let port: Int
    /// The path as it is written, percent-encoded.
    public let path: String
    /// What follows `?`, as it is written.
    public let query: String?

    /// Takes an address.
    /// - Parameters:
    ///   - text: an absolute address, or one that is relative to `base`.
    ///   - base: where the text was found.
    /// - Throws: `invalidArgument` when it is no address, or holds a user or password: those belong into settings.
    public init(_ text: String, relativeTo base: TransferURL? = nil) throws(PluginError) {
        guard let handle = curl_url() else { throw PluginError(.io, "there is no memory to take an address apart") }
        defer { curl_url_cleanup(handle) }
        let flags = UInt32(CURLU_PATH_AS_IS | CURLU_NON_SUPPORT_SCHEME)
        var status = CURLUE_OK
        if let base { status = curl_url_set(handle, CURLUPART_URL, base.text, flags) }
        if status == CURLUE_OK {
            status = curl_url_set(handle, CURLUPART_URL, text, flags | UInt32(CURLU_DISALLOW_USER))
        }
        guard status != CURLUE_USER_NOT_ALLOWED else {
            throw PluginError(
                .invalidArgument,
                "an address holds a user's name or password, where others read it: leave them out, and let "
                    + "'vitrine account add NAME ADDRESS --user USER' keep them")
        }
        func part(_ part: CURLUPart, _ flags: Int32 = 0) -> String? {
            var text: UnsafeMutablePointer<CChar>?
            guard curl_url_get(handle, part, &text, UInt32(flags)) == CURLUE_OK, let text else { return nil }
            defer { curl_free(text) }
            return String(cString: text)
        }
        guard status == CURLUE_OK, let whole = part(CURLUPART_URL), let scheme = part(CURLUPART_SCHEME),
            let host = part(CURLUPART_HOST), let path = part(CURLUPART_PATH),
            let port = part(CURLUPART_PORT, CURLU_DEFAULT_PORT).flatMap({ Int($0) })
        else { throw PluginError(.invalidArgument, "'\(DisplayText.of(text))' is no address of a server") }
        // Set on a base, a text with a user of its own would have been refused; a base never has one.
        self.text = whole
        self.scheme = scheme.lowercased()
        self.host = host.lowercased()
        self.port = port
        self.path = path
        query = part(CURLUPART_QUERY)
    }

    /// Whether a request with credentials for this address may be sent to the other one as well: the same server, or the
    /// same host by TLS instead of without.
    public func trusts(_ other: TransferURL) -> Bool {
        guard host == other.host else { return false }
        return (scheme, port) == (other.scheme, other.port) || (scheme == "http" && other.scheme == "https")
    }

    /// Whether it is this machine by one of its own names, so that nobody between can listen.
    public var isThisMachine: Bool { ["127.0.0.1", "[::1]", "localhost"].contains(host) }

    /// The server as people may see it: host, and port where it is not the usual one.
    public var server: String {
        let usual = [
            "http": 80, "https": 443, "ftp": 21, "ftps": 990, "sftp": 22, "imap": 143, "imaps": 993, "pop3": 110,
            "pop3s": 995,
        ]
        return usual[scheme] == port ? DisplayText.of(host) : DisplayText.of("\(host):\(port)")
    }
}

extension TransferURL: CustomStringConvertible {
    /// Without the query, which may hold a signature.
    public var description: String { DisplayText.of("\(scheme)://\(server)\(path)") }
}

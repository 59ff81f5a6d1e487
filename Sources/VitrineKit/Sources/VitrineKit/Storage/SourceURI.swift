/// The root that somebody pointed Vitrine at: `file:///home/a/Docs`, `s3://bucket/prefix`,
/// `rclone:remote:path`.
///
/// Kept as the ASCII text that it came as, with its parts at hand. The scheme chooses the backend.
public struct SourceURI: Hashable, Sendable {
    /// The whole URI without a trailing `/` (but `file:///` stays).
    public let text: String

    /// The scheme in lower case, such as `file`.
    public let scheme: String

    /// Host, port and user as written, for URIs with `//`; empty in `file:///…`, `nil` without `//`.
    public let authority: String?

    /// The path's bytes, percent-decoded, beginning with `/` where there is an authority. A query is not
    /// part of it.
    public let path: [UInt8]

    /// What follows `?`, still encoded.
    public let query: String?

    /// Parses a URI.
    /// - Parameter text: an absolute URI (RFC 3986).
    /// - Throws: `invalidArgument` when there is no scheme, or when an escape is broken.
    public init(_ text: String) throws(PluginError) {
        guard let colon = text.utf8.firstIndex(of: UInt8(ascii: ":")), Self.isScheme(text[..<colon]) else {
            throw PluginError(.invalidArgument, "'\(DisplayText.of(text))' is no URI: it has no scheme such as file:")
        }
        scheme = text[..<colon].lowercased()
        var rest = text[text.index(after: colon)...]
        if let mark = rest.firstIndex(of: "?") {
            query = String(rest[rest.index(after: mark)...])
            rest = rest[..<mark]
        } else {
            query = nil
        }
        let head: String
        if rest.hasPrefix("//") {
            rest = rest.dropFirst(2)
            let slash = rest.firstIndex(of: "/") ?? rest.endIndex
            authority = String(rest[..<slash])
            head = "\(scheme)://\(rest[..<slash])"
            rest = rest[slash...]
        } else {
            authority = nil
            head = scheme + ":"
        }
        while rest.count > 1, rest.hasSuffix("/") { rest = rest.dropLast() }
        guard let path = PercentEncoding.decode(rest) else {
            throw PluginError(
                .invalidArgument, "'\(DisplayText.of(text))' is no URI: a '%' in it is not followed by two hex digits")
        }
        self.path = path
        self.text = head + rest + (query.map { "?" + $0 } ?? "")
    }

    /// The URI of a local path.
    /// - Parameter path: absolute bytes, already without `.`, `..` and doubled slashes.
    public init(file path: some Sequence<UInt8>) {
        let path = Array(path)
        scheme = "file"
        authority = ""
        query = nil
        self.path = path
        text = "file://" + PercentEncoding.encode(path)
    }

    /// The URI of an item below this source, as ``PercentEncoding`` writes it. For `file` it is byte for
    /// byte what GLib makes of the path, which is what the thumbnail standard hashes.
    public func appending(_ item: ItemPath) -> String {
        if item.isRoot { return text }
        let head = query == nil ? text[...] : text[..<(text.firstIndex(of: "?") ?? text.endIndex)]
        let tail = query.map { "?" + $0 } ?? ""
        return head + (head.hasSuffix("/") ? "" : "/") + PercentEncoding.encode(item.bytes) + tail
    }

    private static func isScheme(_ text: Substring) -> Bool {
        guard let first = text.utf8.first, first < 0x80, Character(UnicodeScalar(first)).isLetter else { return false }
        return text.utf8.allSatisfy {
            switch $0 {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "+"), UInt8(ascii: "-"), UInt8(ascii: "."):
                true
            default: false
            }
        }
    }
}

extension SourceURI: CustomStringConvertible {
    /// The URI as it was given.
    public var description: String { text }
}

/// The root that somebody pointed Vitrine at: `file:///home/a/Docs`, `s3://bucket/prefix`,
/// `rclone:remote:path`.
///
/// Kept as the ASCII text that it came as, with its parts at hand. The scheme chooses the backend.
@frozen
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
    ///
    /// Works on bytes: a letter with an accent behind it is one character to Swift, and may not hide a separator.
    /// - Parameter text: an absolute URI (RFC 3986). What is not printable ASCII in it is percent-encoded.
    /// - Throws: `invalidArgument` when there is no scheme, when an escape is broken, or when a path without an
    ///   authority begins with two slashes, which would be taken for one (RFC 3986, section 3.3).
    public init(_ text: String) throws(PluginError) {
        let slash = UInt8(ascii: "/")
        guard let colon = text.utf8.firstIndex(of: UInt8(ascii: ":")), Self.isScheme(text[..<colon]) else {
            throw PluginError(.invalidArgument, "'\(DisplayText.of(text))' is no URI: it has no scheme such as file:")
        }
        scheme = text[..<colon].lowercased()
        var rest = text.utf8[text.utf8.index(after: colon)...]
        if let mark = rest.firstIndex(of: UInt8(ascii: "?")) {
            query = Self.printable(rest[rest.index(after: mark)...])
            rest = rest[..<mark]
        } else {
            query = nil
        }
        if rest.starts(with: "//".utf8) {
            rest = rest.dropFirst(2)
            let end = rest.firstIndex(of: slash) ?? rest.endIndex
            authority = Self.printable(rest[..<end])
            rest = rest[end...]
        } else {
            authority = nil
        }
        while rest.last == slash, !rest.dropFirst().isEmpty { rest.removeLast() }
        let encoded = Self.printable(rest)
        guard let path = PercentEncoding.decode(encoded) else {
            throw PluginError(
                .invalidArgument,
                "'\(DisplayText.of(text))' is no URI: a '%' in it is not followed by two hex digits, or stands for NUL")
        }
        guard authority != nil || !path.starts(with: [slash, slash]) else {
            throw PluginError(
                .invalidArgument,
                "'\(DisplayText.of(text))' is no URI: its path begins with two slashes, but no host stands before it")
        }
        self.path = path
        self.text =
            scheme + ":" + (authority.map { "//" + $0 } ?? "") + encoded + (query.map { "?" + $0 } ?? "")
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
        // The path decides: `s3://` ends with a slash that is not one of its path, `x:%2F` with one that is.
        let joint = path.last == UInt8(ascii: "/") ? "" : "/"
        let below = PercentEncoding.encode(item.bytes)
        var uri = ""
        uri.reserveCapacity(text.utf8.count + 1 + below.utf8.count)
        uri += query == nil ? text[...] : text[..<(text.firstIndex(of: "?") ?? text.endIndex)]
        uri += joint
        uri += below
        if let query { uri += "?" + query }
        return uri
    }

    /// The text of bytes, percent-encoded where they are not printable ASCII.
    private static func printable(_ bytes: some Collection<UInt8>) -> String {
        var text = ""
        for byte in bytes {
            if 0x21...0x7E ~= byte {
                text.unicodeScalars.append(UnicodeScalar(byte))
            } else {
                text += PercentEncoding.encode(CollectionOfOne(byte))
            }
        }
        return text
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

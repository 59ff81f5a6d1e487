import CPlatform
public import VitrineKit

/// One version of one item, as the name under which its blocks are kept.
///
/// Only a digest of the URI is kept, since URIs may hold what is nobody's business.
public struct ItemVersion: Hashable, Sendable {
    /// Digest of the server: all that is kept of it lies below this name.
    public let server: String
    /// Digest of the item's place, size, time and etag.
    public let item: String
    /// The item, for ``places``.
    private let uri: String

    /// Names a version.
    /// - Parameters:
    ///   - entry: what the storage says of it.
    ///   - uri: the item.
    ///   - source: its source.
    /// - Returns: `nil` when the storage has no mark by which two versions are told apart.
    public init?(_ entry: Entry, uri: String, source: SourceURI) {
        guard entry.etag != nil || entry.modified != nil else { return nil }
        self.uri = uri
        server = Self.digest(ofServer: source)
        let time = entry.modified.map { "\($0.seconds).\($0.nanoseconds)" } ?? ""
        item = Self.digest("\(uri)\0\(entry.size ?? -1)\0\(time)\0\(entry.etag ?? "")")
    }

    /// The item's digest tells all that another version differs in.
    public static func == (a: Self, b: Self) -> Bool { a.item == b.item && a.server == b.server }

    /// Takes the digests alone.
    public func hash(into hasher: inout Hasher) { hasher.combine(item) }

    /// Digests of the places that the item is or lies below, from the outermost on: its URI up to each colon and each slash,
    /// with its query, which says what server it is. Of one that lies deeper than ``mostPlaces``, those of the outermost and
    /// its own.
    var places: [String] {
        let (path, query) = Self.divided(uri)
        var places: [String] = []
        for (index, byte) in path.enumerated() where places.count < Self.mostPlaces - 1 {
            switch byte {
            case UInt8(ascii: ":"): places.append(Self.digest(path[...index] + query))
            case UInt8(ascii: "/"): places.append(Self.digest(path[..<index] + query))
            default: continue
            }
        }
        return places + [Self.digest(ofPlace: uri)]
    }

    /// The digest by which a place is found among ``places``.
    static func digest(ofPlace uri: String) -> String {
        let (path, query) = Self.divided(uri)
        return digest(path.dropLast(path.reversed().prefix { $0 == UInt8(ascii: "/") }.count) + query)
    }

    /// A URI up to its query, and that with the question mark.
    private static func divided(_ uri: String) -> (path: [UInt8], query: [UInt8]) {
        let bytes = Array(uri.utf8)
        let end = bytes.firstIndex(of: UInt8(ascii: "?")) ?? bytes.endIndex
        return (Array(bytes[..<end]), Array(bytes[end...]))
    }

    /// The most that are told of one item.
    static let mostPlaces = 128

    /// The name of a source's server: what a log-in is for. What is in an archive is of the archive's server.
    static func digest(ofServer source: SourceURI) -> String {
        if source.scheme == "archive", let archive = try? SourceURI(String(source.text.dropFirst("archive:".count))),
            archive.scheme != source.scheme
        {
            return digest(ofServer: archive)
        }
        return digest(source.scheme + ":" + (source.authority.map { "//" + $0 } ?? ""))
    }

    /// XXH3 with 128 bits, as 32 hexadecimal digits.
    static func digest(_ text: String) -> String { digest(ArraySlice(text.utf8)) }

    private static func digest(_ text: ArraySlice<UInt8>) -> String {
        let bytes = Array(text)
        var hash: [UInt64] = [0, 0]
        vp_hash128(bytes, bytes.count, &hash)
        return hash.map { word in
            let digits = String(word, radix: 16)
            return String(repeating: "0", count: 16 - digits.count) + digits
        }.joined()
    }
}

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

    /// Names a version.
    /// - Parameters:
    ///   - entry: what the storage says of it.
    ///   - uri: the item.
    ///   - source: its source.
    /// - Returns: `nil` when the storage has no mark by which two versions are told apart.
    public init?(_ entry: Entry, uri: String, source: SourceURI) {
        guard entry.etag != nil || entry.modified != nil else { return nil }
        server = Self.digest(ofServer: source)
        let time = entry.modified.map { "\($0.seconds).\($0.nanoseconds)" } ?? ""
        item = Self.digest("\(uri)\0\(entry.size ?? -1)\0\(time)\0\(entry.etag ?? "")")
    }

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
    static func digest(_ text: String) -> String {
        let bytes = Array(text.utf8)
        var hash: [UInt64] = [0, 0]
        vp_hash128(bytes, bytes.count, &hash)
        return hash.map { word in
            let digits = String(word, radix: 16)
            return String(repeating: "0", count: 16 - digits.count) + digits
        }.joined()
    }
}

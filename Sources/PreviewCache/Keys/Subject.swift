public import VitrineKit

/// The item that a preview shows, in the state that it was read in.
public struct Subject: Hashable, Sendable {
    /// The item's absolute URI, ASCII only; `SourceURI.appending(_:)` makes it. What is not printable ASCII in
    /// what was given is percent-encoded here, so that the same name always gives the same key.
    public let uri: String

    /// The thumbnail standard's name of its entries: worked out once, since an item is looked up before it is stored.
    let key: String

    /// When the content last changed. Whole seconds are kept, as GLib and KDE do. Without it nothing is stored:
    /// such an entry could never be told from a stale one.
    public var modified: Timestamp?

    /// Bytes of content, where known.
    public var size: Int64?

    /// The content's MIME type, where known.
    public var mimeType: String?

    /// Describes an item.
    public init(uri: String, modified: Timestamp?, size: Int64? = nil, mimeType: String? = nil) {
        self.uri = uri.consists(of: 0x21...0x7E) ? uri : Self.escaped(uri)
        key = CacheKey.standard(self.uri)
        self.modified = modified
        self.size = size
        self.mimeType = mimeType
    }

    private static func escaped(_ uri: String) -> String {
        var out = ""
        for byte in uri.utf8 {
            if 0x21...0x7E ~= byte {
                out.unicodeScalars.append(UnicodeScalar(byte))
            } else {
                out += PercentEncoding.encode(CollectionOfOne(byte))
            }
        }
        return out
    }
}

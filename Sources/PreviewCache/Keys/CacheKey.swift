import CGIO

/// Names of cache entries: lower-case hexadecimal MD5. The hash is a name, not a protection: whoever reads an
/// entry compares the URI inside it.
enum CacheKey {
    /// The thumbnail standard's name of an item.
    /// - Parameter uri: canonical and absolute, or `./name` in a shared folder.
    static func standard(_ uri: String) -> String { md5(uri) }

    /// The own layout's name of one preview. The parts are told apart from the end: neither a size nor a variant
    /// can hold a NUL byte.
    static func own(_ uri: String, _ size: PreviewSize, _ variant: Variant) -> String {
        own(uri, pixels: size.pixels, variant: variant.description)
    }

    /// The same, of what an entry says of itself.
    static func own(_ uri: String, pixels: Int, variant: String) -> String { md5("\(uri)\0\(pixels)\0\(variant)") }

    private static func md5(_ text: String) -> String {
        var text = text
        return text.withUTF8 { bytes in
            // Never NULL: the type of checksum is a known one.
            guard let digest = g_compute_checksum_for_data(G_CHECKSUM_MD5, bytes.baseAddress, gsize(bytes.count))
            else { preconditionFailure("GLib knows no MD5") }
            defer { g_free(digest) }
            return String(cString: digest)
        }
    }
}

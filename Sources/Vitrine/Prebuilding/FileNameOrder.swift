import CGIO
import Glibc
import VitrineKit

/// The order of file names in which file managers show them: numbers by their value, capitals beside small letters, and letters
/// with accents beside those without.
enum FileNameOrder {
    /// A key by whose bytes URIs are sorted by their last names.
    static func key(_ uri: String) -> [UInt8] {
        let name = uri.split(separator: "/").last.map(String.init) ?? uri
        let text = String(decoding: PercentEncoding.decode(name) ?? Array(name.utf8), as: UTF8.self)
        guard let folded = g_utf8_casefold(plain(text), -1) else { return Array(text.utf8) }
        defer { g_free(folded) }
        guard let key = g_utf8_collate_key_for_filename(folded, -1) else { return Array(text.utf8) }
        defer { g_free(key) }
        return UnsafeBufferPointer(start: key, count: strlen(key)).map { UInt8(bitPattern: $0) }
    }

    /// The same of a whole URI, folder by folder: what is in a folder follows it.
    static func pathKey(_ uri: String) -> [UInt8] {
        uri.split(separator: "/").flatMap { key(String($0)) + [0] }
    }

    /// A text without its accents, which Unicode knows as marks behind the letters.
    private static func plain(_ text: String) -> String {
        guard let apart = g_utf8_normalize(text, -1, G_NORMALIZE_ALL) else { return text }
        defer { g_free(apart) }
        let letters = String(cString: apart).unicodeScalars.filter { $0.properties.generalCategory != .nonspacingMark }
        return String(String.UnicodeScalarView(letters))
    }
}

/// Percent-encoding of bytes in addresses. Bytes that are not left as they are become `%XX` in upper case, whether or not
/// they are UTF-8.
public enum PercentEncoding {
    /// Encodes path bytes exactly as GLib's `g_filename_to_uri` does it.
    ///
    /// The thumbnail standard hashes URIs, so one byte of difference is a different cache entry. Left as they
    /// are: A–Z a–z 0–9 and ``!$&'()*+,-./:=@_~``.
    /// - Parameter path: bytes of a path, `/` included.
    /// - Returns: ASCII text.
    public static func encode(_ path: some Sequence<UInt8>) -> String { encode(path, leaving: unescaped) }

    /// Encodes what stands for itself alone in an address: a name, a value, an id. Left as they are, as RFC 3986, 2.3, says:
    /// A–Z a–z 0–9 and `-._~`.
    /// - Parameters:
    ///   - component: its bytes.
    ///   - keepsSlash: whether `/` is left as it is, too, as between the names of a path. Default: no.
    /// - Returns: ASCII text.
    public static func encodeComponent(_ component: some Sequence<UInt8>, keepsSlash: Bool = false) -> String {
        encode(component, leaving: keepsSlash ? unreservedAndSlash : unreserved)
    }

    private static func encode(_ bytes: some Sequence<UInt8>, leaving unescaped: [Bool]) -> String {
        bytes.withContiguousStorageIfAvailable { encoded($0, leaving: unescaped) }
            ?? Array(bytes).withUnsafeBufferPointer { encoded($0, leaving: unescaped) }
    }

    /// The same of bytes in a row: the text is made in its place, for there is one of every item.
    private static func encoded(_ bytes: UnsafeBufferPointer<UInt8>, leaving unescaped: [Bool]) -> String {
        unescaped.withUnsafeBufferPointer { unescaped in
            let escapes = bytes.reduce(0) { $0 + (unescaped[Int($1)] ? 0 : 1) }
            return String(unsafeUninitializedCapacity: bytes.count + 2 * escapes) { room in
                var end = 0
                func put(_ byte: UInt8) {
                    room[end] = byte
                    end += 1
                }
                for byte in bytes {
                    if unescaped[Int(byte)] {
                        put(byte)
                    } else {
                        put(UInt8(ascii: "%"))
                        put(hexadecimal[Int(byte >> 4)])
                        put(hexadecimal[Int(byte & 15)])
                    }
                }
                return end
            }
        }
    }

    /// Decodes `%XX`.
    /// - Parameter text: the encoded text.
    /// - Returns: the bytes, or `nil` when a `%` is not followed by two hexadecimal digits, or when a NUL
    ///   byte comes out.
    public static func decode(_ text: some StringProtocol) -> [UInt8]? { decoded(Array(text.utf8)[...]) }

    /// The same of bytes at hand, which is much cheaper than to go through texts of any kind.
    private static func decoded(_ text: ArraySlice<UInt8>) -> [UInt8]? {
        var out: [UInt8] = []
        out.reserveCapacity(text.count)
        var rest = text
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "%") else {
                out.append(byte)
                continue
            }
            guard rest.count >= 2, let decoded = UInt8(hexadecimal: rest.prefix(2)) else { return nil }
            out.append(decoded)
            rest = rest.dropFirst(2)
        }
        return out.contains(0) ? nil : out
    }

    private static let hexadecimal = Array("0123456789ABCDEF".utf8)

    private static let unescaped = table("!$&'()*+,-./:=@_~")
    private static let unreserved = table("-._~")
    private static let unreservedAndSlash = table("-._~/")

    /// Which bytes are left as they are: letters, digits, and these.
    private static func table(_ signs: String) -> [Bool] {
        var table = [Bool](repeating: false, count: 256)
        for range in ["A"..."Z", "a"..."z", "0"..."9"] as [ClosedRange<UnicodeScalar>] {
            for value in range.lowerBound.value...range.upperBound.value { table[Int(value)] = true }
        }
        for byte in signs.utf8 { table[Int(byte)] = true }
        return table
    }
}

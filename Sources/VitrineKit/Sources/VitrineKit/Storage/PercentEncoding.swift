/// Percent-encoding of path bytes exactly as GLib's `g_filename_to_uri` does it.
///
/// The thumbnail standard hashes URIs, so one byte of difference is a different cache entry. Left as they
/// are: A–Z a–z 0–9 and ``!$&'()*+,-./:=@_~``. Every other byte becomes `%XX` in upper case, whether or not
/// the bytes are UTF-8.
public enum PercentEncoding {
    /// Encodes path bytes.
    /// - Parameter path: bytes of a path, `/` included.
    /// - Returns: ASCII text.
    public static func encode(_ path: some Sequence<UInt8>) -> String {
        path.withContiguousStorageIfAvailable { encoded($0) }
            ?? Array(path).withUnsafeBufferPointer { encoded($0) }
    }

    /// The same of bytes in a row: the text is made in its place, for there is one of every item.
    private static func encoded(_ path: UnsafeBufferPointer<UInt8>) -> String {
        unescaped.withUnsafeBufferPointer { unescaped in
            let escapes = path.reduce(0) { $0 + (unescaped[Int($1)] ? 0 : 1) }
            return String(unsafeUninitializedCapacity: path.count + 2 * escapes) { room in
                var end = 0
                func put(_ byte: UInt8) {
                    room[end] = byte
                    end += 1
                }
                for byte in path {
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
            guard let high = rest.popFirst().flatMap(digit), let low = rest.popFirst().flatMap(digit) else {
                return nil
            }
            out.append(high << 4 | low)
        }
        return out.contains(0) ? nil : out
    }

    private static let hexadecimal = Array("0123456789ABCDEF".utf8)

    private static let unescaped: [Bool] = {
        var table = [Bool](repeating: false, count: 256)
        for range in ["A"..."Z", "a"..."z", "0"..."9"] as [ClosedRange<UnicodeScalar>] {
            for value in range.lowerBound.value...range.upperBound.value { table[Int(value)] = true }
        }
        for byte in "!$&'()*+,-./:=@_~".utf8 { table[Int(byte)] = true }
        return table
    }()

    private static func digit(_ byte: UInt8) -> UInt8? {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
        default: nil
        }
    }
}

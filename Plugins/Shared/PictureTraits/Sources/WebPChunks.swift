/// The chunks of a WebP file (RFC 9649, 2.3).
public enum WebPChunks {
    /// The ICC profile of an extended file, which stands before the picture (RFC 9649, 2.7.1.4).
    /// - Parameter bytes: the file.
    /// - Returns: where it lies in `bytes`; `nil` when there is none, when it is longer than ``ColorProfile/longest``, or
    ///   when the chunks before it are damaged.
    public static func profile(_ bytes: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer? {
        var at = 12
        while at + 8 <= bytes.count {
            let length = bytes[at + 4..<at + 8].reversed().reduce(0) { $0 << 8 | Int($1) }
            guard length <= bytes.count - at - 8 else { return nil }
            if bytes[at..<at + 4].elementsEqual("ICCP".utf8) {
                guard length <= ColorProfile.longest else { return nil }
                return UnsafeRawBufferPointer(rebasing: bytes[at + 8..<at + 8 + length])
            }
            at += 8 + length + length % 2
        }
        return nil
    }
}

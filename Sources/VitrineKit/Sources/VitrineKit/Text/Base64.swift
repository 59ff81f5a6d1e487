/// Base64 (RFC 4648, section 4).
public enum Base64 {
    private static let letters = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)

    /// Bytes in letters, with padding.
    public static func text(_ bytes: [UInt8]) -> String {
        String(unsafeUninitializedCapacity: (bytes.count + 2) / 3 * 4) { out in
            var end = 0
            for start in stride(from: 0, to: bytes.count, by: 3) {
                let count = min(3, bytes.count - start)
                let value = (0..<3).reduce(0) { $0 << 8 | ($1 < count ? Int(bytes[start + $1]) : 0) }
                for index in 0..<4 {
                    out[end] = index <= count ? letters[value >> (18 - 6 * index) & 63] : UInt8(ascii: "=")
                    end += 1
                }
            }
            return end
        }
    }
}

/// Percent-encoding as signatures want it: all but letters, digits, `-`, `.`, `_` and `~`.
enum S3Encoding {
    /// Encodes bytes.
    /// - Parameter keepsSlash: for paths.
    static func encode(_ bytes: some Sequence<UInt8>, keepsSlash: Bool = false) -> String {
        let digits = Array("0123456789ABCDEF".utf8)
        var out: [UInt8] = []
        for byte in bytes {
            switch byte {
            case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2D, 0x2E, 0x5F, 0x7E: out.append(byte)
            case 0x2F where keepsSlash: out.append(byte)
            default: out += [0x25, digits[Int(byte >> 4)], digits[Int(byte & 15)]]
            }
        }
        return String(decoding: out, as: UTF8.self)
    }

    /// A query, its fields in the order of their names.
    static func query(_ fields: [String: [UInt8]]) -> String {
        fields.map { (encode($0.key.utf8), encode($0.value)) }.sorted { $0 < $1 }
            .map { "\($0.0)=\($0.1)" }.joined(separator: "&")
    }
}

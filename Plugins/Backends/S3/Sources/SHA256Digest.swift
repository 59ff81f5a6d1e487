import CCrypto

/// SHA-256 and its HMAC (FIPS 180-4, RFC 2104), by OpenSSL.
enum SHA256Digest {
    static func of(_ bytes: some Sequence<UInt8>) -> [UInt8] {
        let bytes = Array(bytes)
        var digest = [UInt8](repeating: 0, count: 32)
        _ = digest.withUnsafeMutableBufferPointer { SHA256(bytes, bytes.count, $0.baseAddress) }
        return digest
    }

    static func hmac(key: [UInt8], _ text: String) -> [UInt8] {
        let bytes = Array(text.utf8)
        var digest = [UInt8](repeating: 0, count: 32)
        var count: UInt32 = 0
        _ = digest.withUnsafeMutableBufferPointer {
            HMAC(ccrypto_sha256(), key, CInt(key.count), bytes, bytes.count, $0.baseAddress, &count)
        }
        return digest
    }

    static func hex(_ bytes: [UInt8]) -> String {
        let digits = Array("0123456789abcdef".utf8)
        return String(decoding: bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
    }
}

internal import CGnuTLS
internal import VitrineKit

/// Bytes of a certificate or a key, as GnuTLS takes them.
struct SignedContent {
    let bytes: UnsafeRawBufferPointer
    let format: gnutls_x509_crt_fmt_t

    /// Bytes of one certificate or key. Numbers of more are none, and to reckon with them takes minutes.
    private static let longest = 256 << 10

    /// - Parameter isList: whether it may be as long as it likes.
    /// - Returns: what the call did; negative where it failed.
    func read(isList: Bool = false, _ call: (UnsafePointer<gnutls_datum_t>, gnutls_x509_crt_fmt_t) -> CInt) -> CInt {
        guard let start = bytes.baseAddress, let count = UInt32(exactly: bytes.count),
            isList || bytes.count <= Self.longest
        else { return GNUTLS_E_REQUESTED_DATA_NOT_AVAILABLE }
        // The library only reads.
        let letters = UnsafeMutablePointer(mutating: start.assumingMemoryBound(to: UInt8.self))
        var datum = gnutls_datum_t(data: letters, size: count)
        return call(&datum, format)
    }

    /// The certificates of a message in PKCS #7 (RFC 2315).
    /// - Returns: `nil` where it is none.
    func certificates(room: Int) -> (found: [Credential], more: Int)? {
        var message: gnutls_pkcs7_t?
        guard gnutls_pkcs7_init(&message) >= 0, let message else { return nil }
        defer { gnutls_pkcs7_deinit(message) }
        guard read(isList: true, { gnutls_pkcs7_import(message, $0, $1) }) >= 0 else { return nil }
        let count = Int(gnutls_pkcs7_get_crt_count(message))
        guard count >= 0 else { return nil }
        let found = (0..<min(count, room)).compactMap { index -> Credential? in
            guard let bytes = Self.bytes({ gnutls_pkcs7_get_crt_raw(message, UInt32(index), $0, $1) }) else {
                return nil
            }
            return bytes.withUnsafeBytes {
                Credential(certificate: SignedContent(bytes: $0, format: GNUTLS_X509_FMT_DER))
            }
        }
        return (found, count - min(count, room))
    }

    /// Bytes that are taken of one answer.
    private static let most = 256 << 10

    /// What a call of the library answers with, which is asked twice where it is long.
    static func bytes(_ call: (UnsafeMutableRawPointer?, UnsafeMutablePointer<Int>) -> CInt) -> [UInt8]? {
        var count = 1024
        for _ in 0..<2 {
            var status: CInt = 0
            let bytes = [UInt8](unsafeUninitializedCapacity: count) { buffer, done in
                var length = buffer.count
                status = call(buffer.baseAddress, &length)
                done = status >= 0 ? min(length, buffer.count) : 0
                count = length
            }
            if status >= 0 { return bytes }
            guard status == GNUTLS_E_SHORT_MEMORY_BUFFER, 1...most ~= count else { return nil }
        }
        return nil
    }

    /// The same as a text.
    static func text(_ call: (UnsafeMutablePointer<CChar>?, UnsafeMutablePointer<Int>) -> CInt) -> String? {
        let bytes = bytes { call($0?.assumingMemoryBound(to: CChar.self), $1) }
        // Some calls count the zero at the end.
        return bytes.flatMap { Facts.line(String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)) }
    }

    /// Digits of bytes, four by four.
    static func digits(_ bytes: [UInt8]?) -> String? {
        guard let bytes, !bytes.isEmpty else { return nil }
        let digits = bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }
        return stride(from: 0, to: digits.count, by: 2)
            .map { digits[$0..<min($0 + 2, digits.count)].joined() }.joined(separator: " ")
    }

    /// Such as `RSA, 2048 bits`.
    /// - Parameters:
    ///   - status: the number of a kind of keys, or of a failure.
    ///   - name: what the file calls the kind, where the library does not know it.
    static func key(_ status: CInt, bits: UInt32, name: String? = nil) -> String? {
        guard let number = UInt32(exactly: status), number > 0,
            let known = gnutls_pk_algorithm_get_name(gnutls_pk_algorithm_t(rawValue: number))
        else { return name }
        return String(cString: known) + (bits > 0 ? ", \(bits) bits" : "")
    }

    /// Such as `RSA-SHA256`.
    static func signature(_ status: CInt) -> String? {
        guard let number = UInt32(exactly: status), number > 0 else { return nil }
        return gnutls_sign_get_name(gnutls_sign_algorithm_t(rawValue: number)).map { String(cString: $0) }
    }

    /// A day in UTC.
    static func day(_ seconds: time_t) -> String? {
        seconds == -1 ? nil : FactDate(secondsSince1970: Int64(seconds)).map { String($0.text.prefix(10)) }
    }
}

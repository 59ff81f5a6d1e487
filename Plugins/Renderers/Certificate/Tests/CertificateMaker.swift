import CGnuTLS
import Testing

@testable import CertificateRenderer

/// Certificates and what belongs to them, around a key of its own.
final class CertificateMaker {
    enum Form: CaseIterable { case binary, letters }

    private let key: gnutls_x509_privkey_t
    private let signed: gnutls_x509_crt_t

    init() throws {
        var key: gnutls_x509_privkey_t?
        try Self.check(gnutls_x509_privkey_init(&key))
        self.key = try #require(key)
        var signed: gnutls_x509_crt_t?
        try Self.check(gnutls_x509_crt_init(&signed))
        self.signed = try #require(signed)
        try Self.check(gnutls_x509_privkey_generate(self.key, GNUTLS_PK_EDDSA_ED25519, 256, 0))
        try Self.check(gnutls_x509_crt_set_version(self.signed, 3))
        try Self.check(gnutls_x509_crt_set_dn(self.signed, "CN=vitrine.example,O=Vitrine", nil))
        try Self.check(gnutls_x509_crt_set_serial(self.signed, [1, 2, 0xFF] as [UInt8], 3))
        // The third of May 2024, and ten years less two days later.
        try Self.check(gnutls_x509_crt_set_activation_time(self.signed, 1_714_700_000))
        try Self.check(gnutls_x509_crt_set_expiration_time(self.signed, 2_030_100_000))
        let host = "www.vitrine.example"
        let append = UInt32(GNUTLS_FSAN_APPEND)
        try Self.check(
            gnutls_x509_crt_set_subject_alt_name(
                self.signed, GNUTLS_SAN_DNSNAME, host, UInt32(host.utf8.count), append))
        try Self.check(
            gnutls_x509_crt_set_subject_alt_name(
                self.signed, GNUTLS_SAN_IPADDRESS, [192, 0, 2, 7] as [UInt8], 4, append))
        try Self.check(gnutls_x509_crt_set_key(self.signed, self.key))
        try Self.check(gnutls_x509_crt_sign2(self.signed, self.signed, self.key, GNUTLS_DIG_SHA512, 0))
    }

    deinit {
        gnutls_x509_crt_deinit(signed)
        gnutls_x509_privkey_deinit(key)
    }

    func certificate(_ form: Form) throws -> [UInt8] {
        try Self.written { gnutls_x509_crt_export(signed, form.value, $0, $1) }
    }

    func request(_ form: Form) throws -> [UInt8] {
        var made: gnutls_x509_crq_t?
        try Self.check(gnutls_x509_crq_init(&made))
        let request = try #require(made)
        defer { gnutls_x509_crq_deinit(request) }
        try Self.check(gnutls_x509_crq_set_version(request, 1))
        try Self.check(gnutls_x509_crq_set_dn(request, "CN=vitrine.example,O=Vitrine", nil))
        try Self.check(gnutls_x509_crq_set_key(request, key))
        try Self.check(gnutls_x509_crq_sign2(request, key, GNUTLS_DIG_SHA512, 0))
        return try Self.written { gnutls_x509_crq_export(request, form.value, $0, $1) }
    }

    /// A list of one certificate.
    func revocations(_ form: Form) throws -> [UInt8] {
        var made: gnutls_x509_crl_t?
        try Self.check(gnutls_x509_crl_init(&made))
        let list = try #require(made)
        defer { gnutls_x509_crl_deinit(list) }
        try Self.check(gnutls_x509_crl_set_version(list, 2))
        try Self.check(gnutls_x509_crl_set_this_update(list, 1_714_700_000))
        try Self.check(gnutls_x509_crl_set_next_update(list, 1_715_700_000))
        try Self.check(gnutls_x509_crl_set_crt_serial(list, [5] as [UInt8], 1, 1_714_000_000))
        try Self.check(gnutls_x509_crl_sign2(list, signed, key, GNUTLS_DIG_SHA512, 0))
        return try Self.written { gnutls_x509_crl_export(list, form.value, $0, $1) }
    }

    /// Two certificates in PKCS #7.
    func message(_ form: Form) throws -> [UInt8] {
        var made: gnutls_pkcs7_t?
        try Self.check(gnutls_pkcs7_init(&made))
        let message = try #require(made)
        defer { gnutls_pkcs7_deinit(message) }
        for _ in 0..<2 { try Self.check(gnutls_pkcs7_set_crt(message, signed)) }
        return try Self.written { gnutls_pkcs7_export(message, form.value, $0, $1) }
    }

    func publicKey(_ form: Form) throws -> [UInt8] {
        var made: gnutls_pubkey_t?
        try Self.check(gnutls_pubkey_init(&made))
        let open = try #require(made)
        defer { gnutls_pubkey_deinit(open) }
        try Self.check(gnutls_pubkey_import_x509(open, signed, 0))
        return try Self.written { gnutls_pubkey_export(open, form.value, $0, $1) }
    }

    func privateKey(_ form: Form) throws -> [UInt8] {
        let plain = GNUTLS_PKCS_PLAIN.rawValue
        return try Self.written { gnutls_x509_privkey_export_pkcs8(key, form.value, nil, plain, $0, $1) }
    }

    func encryptedKey(_ form: Form) throws -> [UInt8] {
        let cipher = GNUTLS_PKCS_PBES2_AES_256.rawValue
        return try Self.written { gnutls_x509_privkey_export_pkcs8(key, form.value, "password", cipher, $0, $1) }
    }

    private static func written(
        _ call: (UnsafeMutableRawPointer?, UnsafeMutablePointer<Int>) -> CInt
    ) throws -> [UInt8] {
        let bytes = SignedContent.bytes(call)
        return try #require(bytes)
    }

    private static func check(_ status: CInt) throws { try #require(status >= 0, "GnuTLS: \(status)") }
}

extension CertificateMaker.Form {
    fileprivate var value: gnutls_x509_crt_fmt_t { self == .binary ? GNUTLS_X509_FMT_DER : GNUTLS_X509_FMT_PEM }
}

internal import CGnuTLS
internal import VitrineKit

// What is signed: certificates, requests, and lists of those that are revoked.
extension Credential {
    /// - Returns: `nil` where it is none, or damaged.
    init?(certificate content: SignedContent) {
        var handle: gnutls_x509_crt_t?
        guard gnutls_x509_crt_init(&handle) >= 0, let handle else { return nil }
        defer { gnutls_x509_crt_deinit(handle) }
        guard content.read({ gnutls_x509_crt_import(handle, $0, $1) }) >= 0 else { return nil }
        let subject = SignedContent.text { gnutls_x509_crt_get_dn(handle, $0, $1) }
        let issuer = SignedContent.text { gnutls_x509_crt_get_issuer_dn(handle, $0, $1) }
        let names = Self.names { gnutls_x509_crt_get_subject_alt_name(handle, $0, $1, $2, nil) }
        kind = gnutls_x509_crt_get_ca_status(handle, nil) > 0 ? "Certificate of an authority" : "Certificate"
        name =
            SignedContent.text { gnutls_x509_crt_get_dn_by_oid(handle, Self.commonName, 0, 0, $0, $1) }
            ?? names.first ?? subject
        add("Subject", subject)
        add("Issuer", issuer == subject ? "itself" : issuer)
        set("issuer", issuer)
        addValidity(gnutls_x509_crt_get_activation_time(handle), gnutls_x509_crt_get_expiration_time(handle))
        add("Names", names.joined(separator: ", "))
        var bits: UInt32 = 0
        let algorithm = gnutls_x509_crt_get_pk_algorithm(handle, &bits)
        let foreign = SignedContent.text { gnutls_x509_crt_get_pk_oid(handle, $0, $1) }
        add("Key", SignedContent.key(algorithm, bits: bits, name: foreign), fact: "key")
        let print = SignedContent.bytes { gnutls_x509_crt_get_fingerprint(handle, GNUTLS_DIG_SHA256, $0, $1) }
        add("SHA-256", SignedContent.digits(print), fact: "fingerprint", isCode: true)
        add("Signature", SignedContent.signature(gnutls_x509_crt_get_signature_algorithm(handle)))
        let serial = SignedContent.bytes { gnutls_x509_crt_get_serial(handle, $0, $1) }
        add("Serial number", SignedContent.digits(serial), isCode: true)
    }

    /// - Returns: `nil` where it is none, or damaged.
    init?(request content: SignedContent) {
        var handle: gnutls_x509_crq_t?
        guard gnutls_x509_crq_init(&handle) >= 0, let handle else { return nil }
        defer { gnutls_x509_crq_deinit(handle) }
        guard content.read({ gnutls_x509_crq_import(handle, $0, $1) }) >= 0 else { return nil }
        let subject = SignedContent.text { gnutls_x509_crq_get_dn(handle, $0, $1) }
        let names = Self.names { gnutls_x509_crq_get_subject_alt_name(handle, $0, $1, $2, nil, nil) }
        kind = "Request for a certificate"
        name =
            SignedContent.text { gnutls_x509_crq_get_dn_by_oid(handle, Self.commonName, 0, 0, $0, $1) }
            ?? names.first ?? subject
        add("Subject", subject)
        add("Names", names.joined(separator: ", "))
        var bits: UInt32 = 0
        let algorithm = gnutls_x509_crq_get_pk_algorithm(handle, &bits)
        let foreign = SignedContent.text { gnutls_x509_crq_get_pk_oid(handle, $0, $1) }
        add("Key", SignedContent.key(algorithm, bits: bits, name: foreign), fact: "key")
        add("Signature", SignedContent.signature(gnutls_x509_crq_get_signature_algorithm(handle)))
    }

    /// A list of revoked certificates.
    /// - Returns: `nil` where it is none, or damaged.
    init?(revocations content: SignedContent) {
        var handle: gnutls_x509_crl_t?
        guard gnutls_x509_crl_init(&handle) >= 0, let handle else { return nil }
        defer { gnutls_x509_crl_deinit(handle) }
        guard content.read(isList: true, { gnutls_x509_crl_import(handle, $0, $1) }) >= 0 else { return nil }
        let issuer = SignedContent.text { gnutls_x509_crl_get_issuer_dn(handle, $0, $1) }
        kind = "Revoked certificates"
        name =
            SignedContent.text { gnutls_x509_crl_get_issuer_dn_by_oid(handle, Self.commonName, 0, 0, $0, $1) } ?? issuer
        add("Issuer", issuer, fact: "issuer")
        addValidity(gnutls_x509_crl_get_this_update(handle), gnutls_x509_crl_get_next_update(handle))
        let count = gnutls_x509_crl_get_crt_count(handle)
        if count >= 0 { add("Certificates", "\(count)") }
        add("Signature", SignedContent.signature(gnutls_x509_crl_get_signature_algorithm(handle)))
    }

    /// Adds the first and the last day on which it holds, in UTC.
    private mutating func addValidity(_ start: time_t, _ end: time_t) {
        let days = [start, end].map { SignedContent.day($0) }
        add("Valid", days.map { $0 ?? "?" }.joined(separator: " to "))
        set("validFrom", days[0])
        set("validUntil", days[1])
    }

    private static let commonName = "2.5.4.3"
    /// Names that are read: more than are seen.
    private static let mostNames: UInt32 = 40

    /// The hosts, addresses and the like that it stands for besides its subject.
    private static func names(
        _ call: (UInt32, UnsafeMutableRawPointer?, UnsafeMutablePointer<Int>) -> CInt
    ) -> [String] {
        var names: [String] = []
        for index in 0..<mostNames {
            var kind: CInt = 0
            let bytes = SignedContent.bytes {
                kind = call(index, $0, $1)
                return kind
            }
            if kind == GNUTLS_E_REQUESTED_DATA_NOT_AVAILABLE { break }
            guard let bytes, let number = UInt32(exactly: kind) else { continue }
            switch gnutls_x509_subject_alt_name_t(rawValue: number) {
            case GNUTLS_SAN_DNSNAME, GNUTLS_SAN_RFC822NAME, GNUTLS_SAN_URI:
                names += [Facts.line(String(decoding: bytes, as: UTF8.self))].compactMap(\.self)
            case GNUTLS_SAN_IPADDRESS where bytes.count == 4: names.append(bytes.map { "\($0)" }.joined(separator: "."))
            case GNUTLS_SAN_IPADDRESS where bytes.count == 16:
                names += [SignedContent.digits(bytes)?.replacing(" ", with: ":")].compactMap(\.self)
            default: continue
            }
        }
        return names
    }
}

internal import CGnuTLS

extension Credential {
    /// - Returns: `nil` where it is none, or damaged.
    init?(publicKey content: SignedContent) {
        var handle: gnutls_pubkey_t?
        guard gnutls_pubkey_init(&handle) >= 0, let handle else { return nil }
        defer { gnutls_pubkey_deinit(handle) }
        guard content.read({ gnutls_pubkey_import(handle, $0, $1) }) >= 0 else { return nil }
        var bits: UInt32 = 0
        kind = "Public key"
        add("Key", SignedContent.key(gnutls_pubkey_get_pk_algorithm(handle, &bits), bits: bits), fact: "key")
        let print = SignedContent.bytes {
            gnutls_pubkey_get_key_id(
                handle, GNUTLS_KEYID_USE_SHA256.rawValue, $0?.assumingMemoryBound(to: UInt8.self), $1)
        }
        add("SHA-256", SignedContent.digits(print), fact: "fingerprint", isCode: true)
    }

    /// A private key, of which nothing but its kind is kept.
    /// - Parameter label: what its mark says, such as `RSA PRIVATE KEY`.
    init(privateKey content: SignedContent, label: String) {
        kind = "Private key"
        isPrivate = true
        let words = label.split(separator: " ").dropLast(2)
        let said = words.first.map { $0 == "OPENSSH" ? "OpenSSH" : String($0) }
        add("Key", words.first == "ENCRYPTED" ? "encrypted" : Self.kindOfKey(content) ?? said, fact: "key")
    }

    /// A private key in DER.
    /// - Returns: `nil` where it is none, or damaged.
    init?(privateKey content: SignedContent) {
        kind = "Private key"
        isPrivate = true
        if let found = Self.kindOfKey(content) {
            add("Key", found, fact: "key")
            return
        }
        var (schema, cipher, salt, rounds): (UInt32, UInt32, UInt32, UInt32) = (0, 0, 0, 0)
        let status = content.read { gnutls_pkcs8_info($0, $1, &schema, &cipher, nil, &salt, &rounds, nil) }
        // Room for the salt, which is not asked for, is wanted only where there is one.
        guard status >= 0 || status == GNUTLS_E_SHORT_MEMORY_BUFFER else { return nil }
        add("Key", "encrypted", fact: "key")
    }

    /// Such as `RSA, 2048 bits`; `nil` where it is encrypted, or damaged.
    private static func kindOfKey(_ content: SignedContent) -> String? {
        var handle: gnutls_x509_privkey_t?
        guard gnutls_x509_privkey_init(&handle) >= 0, let handle else { return nil }
        defer { gnutls_x509_privkey_deinit(handle) }
        let status = content.read { bytes, format in
            let plain = gnutls_x509_privkey_import(handle, bytes, format)
            // No password is tried.
            return plain >= 0
                ? plain : gnutls_x509_privkey_import_pkcs8(handle, bytes, format, nil, GNUTLS_PKCS_PLAIN.rawValue)
        }
        guard status >= 0 else { return nil }
        var bits: UInt32 = 0
        return SignedContent.key(gnutls_x509_privkey_get_pk_algorithm2(handle, &bits), bits: bits)
    }
}

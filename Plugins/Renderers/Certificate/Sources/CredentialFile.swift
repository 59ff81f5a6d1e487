internal import CGnuTLS
internal import VitrineKit

/// What is in a file of certificates and keys, in DER or PEM (RFC 5280, RFC 2986, RFC 2315, RFC 7468).
struct CredentialFile {
    /// What the page is about: the first that is no private key, if there is one.
    let shown: Credential
    /// What else was read, in the order of the file.
    let others: [Credential]
    /// How many more there are, or claim to be.
    let more: Int

    /// Things that are read of a file: more than find a line on the page.
    private static let most = 24

    /// `envelopedData` of PKCS #7, as it stands at the beginning of a message.
    private static let enveloped: [UInt8] = [0x06, 0x09, 0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 0x01, 0x07, 0x03]

    /// Reads the first things of a file.
    /// - Throws: `corrupt` where none can be read, `unsupported` where none is there, `locked` for enciphered messages.
    init(_ bytes: UnsafeRawBufferPointer) throws(PluginError) {
        // As the first letter of a text it is a zero.
        let mayBeBinary = bytes.first == 0x30
        var (found, more) = mayBeBinary ? try Self.binary(bytes) : ([], 0)
        let blocks = found.isEmpty ? PEMBlock.blocks(bytes).filter { Self.isKnown($0.label) } : []
        for block in blocks {
            if found.count < Self.most {
                let read = Self.credentials(block, room: Self.most - found.count)
                found += read.found
                more += read.more
            } else {
                more += 1
            }
        }
        let messages = blocks.lazy.filter { Self.messageLabels.contains($0.label) }
        guard let main = found.firstIndex(where: { !$0.isPrivate }) ?? found.indices.first else {
            if mayBeBinary && Self.isEnveloped(bytes) || messages.contains(where: Self.isEnveloped) {
                throw PluginError(.locked, "the message is for the holders of certain keys; no password opens it")
            }
            guard mayBeBinary || !blocks.isEmpty else {
                throw PluginError(.unsupported, "the file holds no certificate, no request for one and no key")
            }
            throw PluginError(.corrupt, "the file is damaged: no certificate, request or key in it can be read")
        }
        shown = found.remove(at: main)
        others = found
        self.more = more
    }

    /// The words of the page.
    var text: String {
        let lines = [shown.name, shown.kind] + shown.details.map { "\($0.label): \($0.value)" }
        let below = others.map { "\($0.kind): \($0.summary)" }
        return (lines.compactMap(\.self) + below).joined(separator: "\n")
    }

    private static let certificateLabels: Set = ["CERTIFICATE", "X509 CERTIFICATE"]
    private static let requestLabels: Set = ["CERTIFICATE REQUEST", "NEW CERTIFICATE REQUEST"]

    /// What RFC 7468 calls a message, and its predecessors.
    private static let messageLabels: Set = ["CMS", "PKCS7"]

    private static func isKnown(_ label: String) -> Bool {
        certificateLabels.contains(label) || requestLabels.contains(label) || messageLabels.contains(label)
            || ["X509 CRL", "PUBLIC KEY"].contains(label) || label.hasSuffix("PRIVATE KEY")
    }

    /// What is between two marks, nothing where it is damaged.
    private static func credentials(_ block: PEMBlock, room: Int) -> (found: [Credential], more: Int) {
        let content = SignedContent(bytes: block.bytes, format: GNUTLS_X509_FMT_PEM)
        if messageLabels.contains(block.label) {
            let found = block.decoded?.withUnsafeBytes {
                SignedContent(bytes: $0, format: GNUTLS_X509_FMT_DER).certificates(room: room)
            }
            return found ?? ([], 0)
        }
        let one: Credential? =
            if certificateLabels.contains(block.label) {
                Credential(certificate: content)
            } else if requestLabels.contains(block.label) {
                Credential(request: content)
            } else if block.label == "X509 CRL" {
                Credential(revocations: content)
            } else if block.label == "PUBLIC KEY" {
                Credential(publicKey: content)
            } else {
                Credential(privateKey: content, label: block.label)
            }
        return ([one].compactMap(\.self), 0)
    }

    private static func isEnveloped(_ block: PEMBlock) -> Bool {
        block.decoded?.withUnsafeBytes { isEnveloped($0) } ?? false
    }

    private static func isEnveloped(_ bytes: UnsafeRawBufferPointer) -> Bool {
        bytes.prefix(32).firstRange(of: enveloped) != nil
    }

    /// What a file in DER is, which does not say it: the first that its structure allows.
    /// - Throws: `unsupported` for messages without certificates.
    private static func binary(
        _ bytes: UnsafeRawBufferPointer
    ) throws(PluginError) -> (found: [Credential], more: Int) {
        let content = SignedContent(bytes: bytes, format: GNUTLS_X509_FMT_DER)
        if let message = content.certificates(room: most) {
            guard !message.found.isEmpty else {
                throw PluginError(.unsupported, "the message has no certificates, and names at most who signed it")
            }
            return message
        }
        let one =
            Credential(certificate: content) ?? Credential(request: content) ?? Credential(revocations: content)
            ?? Credential(privateKey: content) ?? Credential(publicKey: content)
        return ([one].compactMap(\.self), 0)
    }
}

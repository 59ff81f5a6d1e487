import RendererFixtures
import Testing
import VitrineKit
import VitrineTesting

@testable import CertificateRenderer

@Suite struct CertificateRendererTests {
    private let maker: CertificateMaker

    init() throws { maker = try CertificateMaker() }

    private func draw(_ bytes: [UInt8], box: Int = 256) throws -> Rendering {
        var request = RenderRequest(box: box, mimeType: "application/pkix-cert")
        request.wantsText = true
        return try CertificateRenderer(RendererEnvironment(pluginFolder: "/")).render(BytesInput(bytes), request)
    }

    private func text(_ bytes: [UInt8]) throws -> String { try #require(try draw(bytes).facts.text) }

    private func failure(_ bytes: [UInt8]) -> PluginError.Code? {
        RendererFixtures.failure { try draw(bytes, box: 64) }
    }

    private func fact(_ name: String, _ rendering: Rendering) throws -> FactValue? {
        rendering.facts.details[try #require(FactName(rawValue: name))]
    }

    @Test("It keeps the renderer's contract") func conformance() throws {
        let samples = [
            RendererSample("DER", mimeType: "application/pkix-cert", bytes: try maker.certificate(.binary)),
            RendererSample(
                "PEM", mimeType: "application/x-pem-file",
                bytes: try maker.certificate(.letters) + maker.privateKey(.letters)),
        ]
        let suite = RendererConformance(samples: samples, enlarges: true) { environment throws(PluginError) in
            try CertificateRenderer(environment)
        }
        #expect(suite.violations() == [])
    }

    @Test("A certificate says whose it is, who vouches for it, and how long", arguments: CertificateMaker.Form.allCases)
    func certificates(form: CertificateMaker.Form) throws {
        let drawn = try draw(try maker.certificate(form))
        #expect(drawn.facts.title == "vitrine.example")
        #expect(try fact("validFrom", drawn) == .text("2024-05-03") && fact("validUntil", drawn) == .text("2034-05-01"))
        let issuer = try #require(try fact("issuer", drawn))
        #expect("\(issuer)".contains("O=Vitrine"))
        let lines = try #require(drawn.facts.text).split(separator: "\n").map(String.init)
        #expect(lines.starts(with: ["vitrine.example", "Certificate"]))
        for line in [
            "Issuer: itself", "Valid: 2024-05-03 to 2034-05-01", "Names: www.vitrine.example, 192.0.2.7",
            "Key: EdDSA (Ed25519), 256 bits", "Signature: EdDSA-Ed25519", "Serial number: 0102 ff",
        ] { #expect(lines.contains(line), "\(lines)") }
        // As many digits as SHA-256 has, four by four.
        let print = try #require(lines.first { $0.hasPrefix("SHA-256: ") })
        #expect(print.wholeMatch(of: /SHA-256:( [0-9a-f]{4}){16}/) != nil, "\(print)")
    }

    @Test("Requests, lists, public keys and certificates in PKCS #7 are told apart")
    func kinds() throws {
        for form in CertificateMaker.Form.allCases {
            let request = try text(try maker.request(form))
            #expect(request.hasPrefix("vitrine.example\nRequest for a certificate\nSubject: "), "\(request)")
            let list = try text(try maker.revocations(form))
            #expect(list.hasPrefix("vitrine.example\nRevoked certificates\n") && list.contains("\nCertificates: 1\n"))
            #expect(
                try text(try maker.publicKey(form)).hasPrefix("Public key\nKey: EdDSA (Ed25519), 256 bits\nSHA-256: "))
            let message = try text(try maker.message(form))
            #expect(message.hasPrefix("vitrine.example\nCertificate\n"), "\(message)")
            #expect(message.hasSuffix("\nCertificate: vitrine.example"), "\(message)")
            if form == .letters {
                let letters = String(decoding: try maker.message(form), as: UTF8.self)
                #expect(try text(Array(letters.replacing(" PKCS7-", with: " CMS-").utf8)) == message)
            }
        }
    }

    @Test("Of a private key its kind is told, and nothing of what is in it") func privateKeys() throws {
        let said = "Private key\nKey: EdDSA (Ed25519), 256 bits"
        for form in CertificateMaker.Form.allCases { #expect(try text(try maker.privateKey(form)) == said) }
        #expect(try text(try maker.encryptedKey(.letters)) == "Private key\nKey: encrypted")
        #expect(try text(try maker.encryptedKey(.binary)) == "Private key\nKey: encrypted")
        // Neither of what is damaged, nor of what the library does not read.
        for (label, kind) in [("RSA ", "RSA"), ("OPENSSH ", "OpenSSH"), ("EC ", "EC")] {
            let block = "-----BEGIN \(label)PRIVATE KEY-----\nQUJDREVG\n-----END \(label)PRIVATE KEY-----\n"
            #expect(try text(Array(block.utf8)) == "Private key\nKey: \(kind)")
        }
        // The same picture, whatever the key is.
        let other = try CertificateMaker()
        #expect(try maker.privateKey(.letters) != other.privateKey(.letters))
        let pictures = try [maker, other].map { RGBAPicture(try draw(try $0.privateKey(.letters)).bitmap) }
        #expect(pictures[0] == pictures[1])
    }

    @Test("Others in the file have a line each, and a key is not what the page is about") func many() throws {
        let certificate = try maker.certificate(.letters)
        let both = try draw(try maker.privateKey(.letters) + Array("Bag Attributes: none\n".utf8) + certificate)
        #expect(both.facts.title == "vitrine.example")
        #expect(both.facts.text?.hasSuffix("\nPrivate key: EdDSA (Ed25519), 256 bits") == true)
        // More than are read.
        let file = try Array(repeatElement(certificate, count: 40).joined()).withUnsafeBytes { try CredentialFile($0) }
        #expect(file.others.count == 23 && file.more == 16)
        _ = try draw(Array(repeatElement(certificate, count: 40).joined()))
    }

    @Test("What holds none of these, or damaged ones, is refused") func bad() throws {
        let certificate = try maker.certificate(.binary)
        #expect(failure([]) == .empty)
        #expect(failure(Array("hello\n".utf8)) == .unsupported)
        #expect(
            failure(Array("-----BEGIN DH PARAMETERS-----\nQUJD\n-----END DH PARAMETERS-----\n".utf8)) == .unsupported)
        #expect(failure(Array("-----BEGIN CERTIFICATE-----\nQUJD\n-----END CERTIFICATE-----\n".utf8)) == .corrupt)
        #expect(failure(Array(certificate.prefix(certificate.count / 2))) == .corrupt)
        // A text whose first letter is that with which others begin, and messages without certificates, signed and enciphered.
        let text = Array("0 s:CN = vitrine.example\n".utf8)
        #expect(try draw(text + maker.certificate(.letters)).facts.title == "vitrine.example")
        let type: [UInt8] = [0x06, 0x09, 0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 0x01, 0x07]
        #expect(failure([0x30, 0x0F] + type + [3, 0xA0, 2, 0x30, 0]) == .locked)
        for label in ["PKCS7", "CMS"] {
            // The same in letters.
            let block = "-----BEGIN \(label)-----\nMA8GCSqGSIb3DQEHA6ACMAA=\n-----END \(label)-----\n"
            #expect(failure(Array(block.utf8)) == .locked)
            #expect(failure(Array(block.replacing("A6AC", with: "AaAC").utf8)) == .corrupt)
        }
        let data: [UInt8] = [0x30, 0x0B] + type + [1]
        let signed: [UInt8] = [0x30, 0x14, 2, 1, 1, 0x31, 0] + data + [0x31, 0]
        #expect(failure([0x30, 0x23] + type + [2, 0xA0, 0x16] + signed) == .unsupported)
        for seed in 0..<60 {
            for form in CertificateMaker.Form.allCases {
                let code = failure(damaged(try maker.message(form), seed: seed, changes: 20))
                #expect([nil, .corrupt, .unsupported].contains(code), "\(seed)")
            }
        }
    }
}

import Foundation
import PluginHost
import TestSupport
import Testing

/// Certificates and keys are known without their names, and texts of such names are drawn all the same.
@Suite struct CertificateTypeTests {
    private func manifest(_ plugin: String) throws -> PluginManifest {
        let file = Products.checkout.appending(path: "Plugins/Renderers/\(plugin)/plugin.json")
        return try PluginManifest(json: Array(Data(contentsOf: file)), file: file.path)
    }

    private func type(_ head: [UInt8], _ name: String) throws -> String {
        let magic = try manifest("Certificate").magic
        return TypeSniffer(magic: magic).type(head: head, name: Array(name.utf8), size: Int64(head.count)).mimeType
    }

    @Test("Certificates in DER are told by how they begin, whatever the name")
    func binary() throws {
        let start: [UInt8] = [0x30, 0x82, 3, 0x8C, 0x30, 0x82, 2, 0x74, 0xA0, 3, 2, 1, 2, 2, 1, 7]
        let head = start + [UInt8](repeating: 0xFF, count: 64)
        for name in ["", "a", "a.der", "a.crt", "a.bin"] { #expect(try type(head, name) == "application/pkix-cert") }
        // Another number of the version.
        #expect(try type(Array(start.prefix(12)) + [9] + head.dropFirst(13), "a") != "application/pkix-cert")
    }

    @Test(
        "Those in PEM by their first mark",
        arguments: [
            ("CERTIFICATE", "pkix-cert+pem"), ("CERTIFICATE REQUEST", "pkcs10+pem"),
            ("NEW CERTIFICATE REQUEST", "pkcs10+pem"), ("PKCS7", "pkcs7-mime+pem"), ("PUBLIC KEY", "x-pem-file"),
            ("PRIVATE KEY", "x-pem-key"), ("ENCRYPTED PRIVATE KEY", "x-pem-key"), ("RSA PRIVATE KEY", "x-pem-key"),
            ("OPENSSH PRIVATE KEY", "x-pem-key"),
        ])
    func letters(label: String, expected: String) throws {
        let head = Array("-----BEGIN \(label)-----\nMIIB\n-----END \(label)-----\n".utf8)
        for name in ["", "a.pem", "a.txt"] { #expect(try type(head, name) == "application/\(expected)", "\(name)") }
    }

    @Test("What they refuse is drawn as the text that it is", arguments: ["a.cer", "a.crt", "a.csr", "a.crl", "a.p8"])
    func texts(name: String) throws {
        #expect(try manifest("Text").types.contains(type(Array("notes\n".utf8), name)))
    }
}

import Testing
import Transfer
import VitrineKit

@testable import S3Backend

/// The examples of "Signature Calculations for the Authorization Header" in the Amazon S3 API Reference, in what they give
/// for this module's set of signed fields, and the digests that FIPS 180-4 and RFC 4231 give.
@Suite struct SignatureTests {
    @Test func digestsAreThoseOfTheStandards() {
        #expect(
            SHA256Digest.hex(SHA256Digest.of(Array("abc".utf8)))
                == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad")
        #expect(
            SHA256Digest.hex(SHA256Digest.hmac(key: Array("Jefe".utf8), "what do ya want for nothing?"))
                == "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843")
    }

    @Test func listingIsSignedAsInTheReference() throws {
        let signature = S3Signature(
            credentials: S3Credentials(
                accessKey: "AKIAIOSFODNN7EXAMPLE", secretKey: "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY"),
            region: "us-east-1")
        var request = TransferRequest(
            try TransferURL("https://examplebucket.s3.amazonaws.com/?max-keys=2&prefix=J"), method: "GET", purpose: "")
        signature.sign(&request, at: 1_369_353_600)
        let value = request.headers.first { $0.name == "Authorization" }?.value
        #expect(value?.hasSuffix("Signature=34b48302e7b5fa45bde8084f4b7868a86f0a534bc59db6670ed5711ef69dc6f7") == true)
    }

    @Test func encodesAsTheReferenceSays() {
        #expect(PercentEncoding.encodeComponent("a b/ü+~*%&".utf8, keepsSlash: true) == "a%20b/%C3%BC%2B~%2A%25%26")
        #expect(S3Query.encode(["prefix": Array("a/b c".utf8), "list-type": [50]]) == "list-type=2&prefix=a%2Fb%20c")
    }

    @Test func credentialsAreNotPrinted() {
        let credentials = S3Credentials(accessKey: "key", secretKey: "hidden", sessionToken: "token")
        var text = "\(credentials) \(String(reflecting: credentials))"
        dump(credentials, to: &text)
        #expect(!text.contains("hidden") && !text.contains("token"))
    }
}

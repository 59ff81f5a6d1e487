import Glibc
import Transfer

/// Signs requests with AWS Signature Version 4: "Authenticating Requests (AWS Signature Version 4)" of the Amazon S3
/// API Reference. What is signed is byte for byte what is sent.
struct S3Signature: Sendable {
    let credentials: S3Credentials
    let region: String

    /// Adds what proves who asks.
    /// - Parameters:
    ///   - request: with its address, method and body; fields that are added later are not signed.
    ///   - now: seconds since 1970.
    func sign(_ request: inout TransferRequest, at now: Int) {
        let (day, moment) = Self.text(now)
        let payload = SHA256Digest.hex(SHA256Digest.of(request.body))
        let url = request.url
        let usual = url.scheme == "https" ? 443 : 80
        var signed = [
            ("host", url.port == usual ? url.host : "\(url.host):\(url.port)"), ("x-amz-content-sha256", payload),
            ("x-amz-date", moment),
        ]
        if let type = request.headers.first(where: { $0.name == "Content-Type" })?.value {
            signed.insert(("content-type", type.trimmed), at: 0)
        }
        if let token = credentials.sessionToken { signed.append(("x-amz-security-token", token)) }
        let names = signed.map(\.0).joined(separator: ";")
        let canonical = [
            request.method ?? "GET", url.path, url.query ?? "",
            signed.map { "\($0.0):\($0.1)\n" }.joined(), names, payload,
        ].joined(separator: "\n")
        let scope = "\(day)/\(region)/s3/aws4_request"
        let toSign = "AWS4-HMAC-SHA256\n\(moment)\n\(scope)\n\(SHA256Digest.hex(SHA256Digest.of(canonical.utf8)))"
        let signature = SHA256Digest.hex(SHA256Digest.hmac(key: key(day), toSign))
        for (name, value) in signed where name.hasPrefix("x-amz-") { request.set(name, value) }
        request.set(
            "Authorization",
            "AWS4-HMAC-SHA256 Credential=\(credentials.accessKey)/\(scope),SignedHeaders=\(names),Signature=\(signature)"
        )
    }

    private func key(_ day: String) -> [UInt8] {
        var key = Array("AWS4\(credentials.secretKey)".utf8)
        for text in [day, region, "s3", "aws4_request"] { key = SHA256Digest.hmac(key: key, text) }
        return key
    }

    /// `20130524` and `20130524T000000Z`.
    private static func text(_ now: Int) -> (day: String, moment: String) {
        var time = time_t(now)
        var parts = tm()
        gmtime_r(&time, &parts)
        func two(_ number: CInt) -> String { number < 10 ? "0\(number)" : "\(number)" }
        let day = "\(parts.tm_year + 1900)" + two(parts.tm_mon + 1) + two(parts.tm_mday)
        return (day, day + "T" + two(parts.tm_hour) + two(parts.tm_min) + two(parts.tm_sec) + "Z")
    }
}

import Glibc
import Transfer
import VitrineKit

/// Where a source lies: an endpoint, a bucket and a prefix; and how requests for it look.
struct S3Bucket: Sendable {
    /// What all keys of the source begin with: empty, or with a slash at its end.
    let prefix: [UInt8]
    let name: String
    /// The address of the bucket, without a slash at its end.
    let base: TransferURL
    private let signature: S3Signature?

    /// - Throws: `invalidArgument` for what cannot be meant, `unauthorized` when no credentials are found.
    init(_ source: SourceURI, _ settings: [String: String]) throws(PluginError) {
        guard let name = source.authority, Self.isBucket(name) else {
            throw PluginError(
                .invalidArgument,
                "'\(DisplayText.of(source.text))' names no bucket: write s3://bucket/prefix?endpoint=https://host")
        }
        self.name = name
        let options = settings.merging(try Self.options(source.query)) { $1 }
        var path = source.path.drop { $0 == UInt8(ascii: "/") }
        while path.last == UInt8(ascii: "/") { path.removeLast() }
        _ = try ItemPath(path)
        prefix = path.isEmpty ? [] : path + [UInt8(ascii: "/")]
        let profile = AWSProfile(options["profile"])
        let environment = { (name: String) in getenv(name).map { String(cString: $0) } }
        let region =
            options["region"] ?? environment("AWS_REGION") ?? environment("AWS_DEFAULT_REGION")
            ?? profile.value("region") ?? "us-east-1"
        guard region.utf8.allSatisfy({ $0 == 0x2D || (0x30...0x39).contains($0) || (0x61...0x7A).contains($0 | 0x20) })
        else { throw PluginError(.invalidArgument, "'\(DisplayText.of(region))' is no region of S3") }
        base = try Self.address(options, name, region)
        if options["anonymous"] == "true" {
            signature = nil
        } else if let credentials = try S3Credentials.find(settings, profile) {
            signature = S3Signature(credentials: credentials, region: region)
        } else {
            throw PluginError(
                .unauthorized,
                "there are no credentials for the bucket '\(name)': set 'access-key' and 'secret-key', the environment's "
                    + "AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or ~/.aws/credentials; 'anonymous=true' asks without any"
            )
        }
    }

    /// A request that is signed.
    /// - Parameters:
    ///   - key: the object; `nil` for the bucket.
    ///   - contentType: the body's, which is signed.
    ///   - headers: fields that are not signed.
    func request(
        _ method: String, key: [UInt8]? = nil, query: [String: [UInt8]] = [:], body: [UInt8] = [],
        contentType: String? = nil, headers: [(name: String, value: String)] = [], purpose: String
    ) throws(PluginError) -> TransferRequest {
        var text = base.text + "/"
        if let key { text += PercentEncoding.encodeComponent(key, keepsSlash: true) }
        if !query.isEmpty { text += "?" + S3Query.encode(query) }
        var request = TransferRequest(try TransferURL(text), method: method, purpose: purpose)
        request.headers = headers
        request.body = body
        if let contentType { request.set("Content-Type", contentType) }
        request.followsRedirects = false
        let bucket = name
        request.explain = { head, body in S3Error(body)?.error(purpose, bucket: bucket, head: head) }
        signature?.sign(&request, at: time(nil))
        return request
    }

    /// That no key begins like a path of the source.
    func missing(_ path: ItemPath) -> PluginError {
        let what = path.isRoot ? "nothing below '\(DisplayText.of(prefix))'" : "no '\(path)'"
        return PluginError(.notFound, "the bucket '\(name)' has \(what)")
    }

    /// Only these may stand in a URI: credentials may not.
    private static let names: Set<String> = ["endpoint", "region", "style", "profile", "anonymous"]

    private static func options(_ query: String?) throws(PluginError) -> [String: String] {
        var options: [String: String] = [:]
        for field in (query ?? "").split(separator: "&") {
            let parts = field.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard parts.count == 2, names.contains(String(parts[0])), let value = PercentEncoding.decode(parts[1])
            else {
                throw PluginError(
                    .invalidArgument,
                    "'\(DisplayText.of(String(parts.first ?? "")))' cannot stand behind the '?' of an S3 source: only "
                        + names.sorted().joined(separator: ", ") + " can")
            }
            options[String(parts[0])] = String(decoding: value, as: UTF8.self)
        }
        return options
    }

    private static func address(
        _ options: [String: String], _ name: String, _ region: String
    ) throws(PluginError) -> TransferURL {
        let endpoint = try TransferURL(options["endpoint"] ?? "https://s3.\(region).amazonaws.com")
        guard ["http", "https"].contains(endpoint.scheme), endpoint.query == nil, endpoint.path == "/" else {
            throw PluginError(.invalidArgument, "an endpoint of S3 is https://host or http://host, without a path")
        }
        // A certificate for *.host does not hold for names with further dots.
        let usual = options["endpoint"] == nil && !name.contains(".") ? "virtual" : "path"
        switch options["style"] ?? usual {
        case "path": return try TransferURL("\(endpoint.scheme)://\(endpoint.host):\(endpoint.port)/\(name)")
        case "virtual": return try TransferURL("\(endpoint.scheme)://\(name).\(endpoint.host):\(endpoint.port)")
        default: throw PluginError(.invalidArgument, "the style of an S3 source is 'path' or 'virtual'")
        }
    }

    private static func isBucket(_ name: String) -> Bool {
        1...255 ~= name.utf8.count
            && name.utf8.allSatisfy {
                [0x2D, 0x2E, 0x5F].contains($0) || (0x30...0x39).contains($0) || (0x61...0x7A).contains($0 | 0x20)
            } && name != "." && name != ".."
    }
}

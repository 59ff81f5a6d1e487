import Transfer
import VitrineKit
import VitrineTesting

@testable import S3Backend

/// Puts objects into a bucket on this machine, signed as the backend signs.
struct S3Writer: Sendable {
    static let login = ["access-key": "key", "secret-key": "secret"]

    let bucket: S3Bucket
    let client: TransferClient

    /// Makes the bucket where it is missing. A gateway that has just started refuses it until all of it is there.
    init(_ port: UInt16, _ name: String) async throws {
        bucket = try S3Bucket(s3(port, name), Self.login)
        var policy = TransferPolicy(schemes: ["http"])
        policy.tries = 8
        // A gateway that is asked a second time while it is busy with the first may never answer.
        (policy.stallTimeout, policy.timeout) = (.seconds(600), .seconds(600))
        client = TransferClient(policy, name: "localhost")
        var request = try bucket.request("PUT", purpose: "cannot make a bucket")
        request.set("Content-Length", "0")
        request.accepted = { [200, 409].contains($0) }
        request.isIdempotent = true
        _ = try await client.collect(request)
    }

    func put(_ key: [UInt8], _ content: [UInt8]) async throws {
        var request = try bucket.request("PUT", key: key, body: content, purpose: "cannot write an object")
        if content.isEmpty { request.set("Content-Length", "0") }
        request.isIdempotent = true
        _ = try await client.collect(request)
    }

    /// Writes a file, or the mark of a folder.
    func put(_ node: BackendSample.Node) async throws {
        try await put(node.path.bytes + (node.content == nil ? [UInt8(ascii: "/")] : []), node.content ?? [])
    }

    func put(_ sample: BackendSample) async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            for node in sample.nodes { group.addTask { try await put(node) } }
            try await group.waitForAll()
        }
    }
}

/// A source on this machine.
func s3(_ port: UInt16, _ path: String, _ more: String = "") throws -> SourceURI {
    try SourceURI("s3://\(path)?endpoint=http://localhost:\(port)\(more)")
}

/// The backend of such a source.
func connect(
    _ port: UInt16, _ path: String = "bucket", _ values: [String: String] = [:]
) async throws -> S3Backend {
    try await S3Backend(
        source: s3(port, path), settings: BackendSettings(values: S3Writer.login.merging(values) { $1 }))
}

import CCrypto
import Transfer
import VitrineKit

/// An upload in parts, which nobody sees before it is completed: "Multipart upload" of the Amazon S3 API Reference.
struct S3Upload: Sendable {
    let bucket: S3Bucket
    let client: TransferClient
    let key: [UInt8]
    /// The beginning of sentences.
    let doing: String
    let identifier: String

    /// A part as the server knows it.
    struct Part: Hashable, Sendable {
        var size: Int64
        var etag: String
    }

    /// Begins an upload.
    static func begin(
        _ key: [UInt8], _ type: String?, _ bucket: S3Bucket, _ client: TransferClient, _ doing: String
    ) async throws(PluginError) -> S3Upload {
        var request = try bucket.request(
            "POST", key: key, query: ["uploads": []], contentType: type, purpose: doing)
        request.set("Content-Length", "0")
        let body = try await client.collect(request).body
        let answer = try S3Records(body, root: "InitiateMultipartUploadResult", subject: "the answer about an upload")
        guard let identifier = answer.fields["UploadId"], !identifier.isEmpty else {
            throw PluginError(.io, "\(doing): '\(bucket.base.server)' gives the upload no name")
        }
        return S3Upload(bucket: bucket, client: client, key: key, doing: doing, identifier: identifier)
    }

    /// The uploads of one key that were begun and not ended, the latest first; none where the server tells of none.
    static func unfinished(
        _ key: [UInt8], _ bucket: S3Bucket, _ client: TransferClient, _ doing: String
    ) async throws(PluginError) -> [S3Upload] {
        let query = ["uploads": [], "prefix": key, "encoding-type": Array("url".utf8)]
        var request = try bucket.request("GET", query: query, purpose: doing)
        request.accepted = { $0 == 200 || $0 == 404 || $0 == 403 || $0 == 501 }
        let (head, body) = try await client.collect(request)
        guard head.status == 200 else { return [] }
        let answer = try S3Records(
            body, root: "ListMultipartUploadsResult", element: "Upload", subject: "the list of uploads")
        let own = answer.records.filter { record in
            let text = record["Key"] ?? ""
            return Array(text.utf8) == key || PercentEncoding.decode(text) == key
        }
        return own.sorted { $0["Initiated"] ?? "" > $1["Initiated"] ?? "" }.prefix(8).compactMap { record in
            record["UploadId"].map {
                S3Upload(bucket: bucket, client: client, key: key, doing: doing, identifier: $0)
            }
        }
    }

    /// What is there of it, by number.
    func parts() async throws(PluginError) -> [Int: Part] {
        var parts: [Int: Part] = [:]
        var marker = "0"
        // Ten thousand parts are the most that there can be.
        for _ in 0..<10 {
            let request = try bucket.request(
                "GET", key: key, query: query(["part-number-marker": Array(marker.utf8)]), purpose: doing)
            let answer = try S3Records(
                try await client.collect(request).body, root: "ListPartsResult", element: "Part",
                subject: "the list of parts")
            for record in answer.records {
                guard let number = record["PartNumber"].flatMap({ Int($0) }),
                    let size = record["Size"].flatMap({ Int64($0) }), let etag = record["ETag"]
                else { continue }
                parts[number] = Part(size: size, etag: ResponseHead.version(etag))
            }
            guard answer.fields["IsTruncated"] == "true", let next = answer.fields["NextPartNumberMarker"],
                next != marker
            else { break }
            marker = next
        }
        return parts
    }

    /// Sends a part; the one that has its number is replaced.
    /// - Returns: its mark.
    func send(_ bytes: [UInt8], number: Int) async throws(PluginError) -> String {
        var request = try bucket.request(
            "PUT", key: key, query: query(["partNumber": Array("\(number)".utf8)]), body: bytes, purpose: doing)
        request.isIdempotent = true
        let head = try await client.collect(request).head
        guard let etag = head.etag, etag.utf8.allSatisfy({ !"<>&\"".utf8.contains($0) && $0 >= 0x20 }) else {
            throw PluginError(.io, "\(doing): '\(bucket.base.server)' gives a part no mark")
        }
        return etag
    }

    /// Makes an object of the parts.
    func complete(_ etags: [String], ifAbsent: Bool) async throws(PluginError) {
        let list = etags.enumerated().map {
            "<Part><PartNumber>\($0.offset + 1)</PartNumber><ETag>&quot;\($0.element)&quot;</ETag></Part>"
        }.joined()
        let text =
            "<CompleteMultipartUpload xmlns=\"http://s3.amazonaws.com/doc/2006-03-01/\">\(list)</CompleteMultipartUpload>"
        let request = try bucket.request(
            "POST", key: key, query: query([:]), body: Array(text.utf8), contentType: "application/xml", purpose: doing)
        let (head, body) = try await S3Condition.collect(request, ifAbsent: ifAbsent, client)
        // The head may come long before it is known how it ends.
        guard let error = S3Error(body) else { return }
        if S3Condition.codes.contains(error.code) { throw S3Condition.exists(doing) }
        throw error.error(doing, bucket: bucket.name, head: head)
            ?? PluginError(.io, "\(doing): '\(bucket.base.server)' failed at the end (\(DisplayText.of(error.code)))")
    }

    /// Takes away all that was sent.
    func abort() async throws(PluginError) {
        var request = try bucket.request("DELETE", key: key, query: query([:]), purpose: doing)
        request.accepted = { 200..<300 ~= $0 || $0 == 404 }
        request.isIdempotent = true
        _ = try await client.collect(request)
    }

    private func query(_ more: [String: [UInt8]]) -> [String: [UInt8]] {
        more.merging(["uploadId": Array(identifier.utf8)]) { $1 }
    }
}

/// Requests that may not replace an object: "Conditional writes" of the Amazon S3 User Guide.
enum S3Condition {
    static let codes: Set<String> = ["PreconditionFailed", "ConditionalRequestConflict"]

    static func exists(_ doing: String) -> PluginError {
        PluginError(.exists, "\(doing): there is something of that name already")
    }

    /// Sends a request, with the condition where the server knows it.
    static func collect(
        _ request: TransferRequest, ifAbsent: Bool, _ client: TransferClient
    ) async throws(PluginError) -> (head: ResponseHead, body: [UInt8]) {
        guard ifAbsent else { return try await client.collect(request) }
        var asked = request
        // Sent again after an answer was lost, it would find what it made itself.
        asked.isIdempotent = false
        asked.set("If-None-Match", "*")
        asked.accepted = { request.accepted($0) || [409, 412, 501].contains($0) }
        let answer = try await client.collect(asked)
        switch answer.head.status {
        case 409, 412: throw exists(request.purpose)
        case 501: return try await client.collect(request)
        default: return answer
        }
    }
}

extension Checksum {
    /// MD5 of bytes.
    static func md5(of bytes: [UInt8]) -> Checksum? {
        var digest = [UInt8](repeating: 0, count: 16)
        guard ccrypto_md5(bytes, bytes.count, &digest) == 1 else { return nil }
        return Checksum(.md5, digest)
    }
}

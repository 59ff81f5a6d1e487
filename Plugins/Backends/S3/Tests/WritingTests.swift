import TestServers
import Testing
import VitrineKit
import VitrineTesting

@testable import S3Backend

@Suite(.serialized, .enabled(if: SeaweedServer.program != nil, "seaweedfs is not installed: 'make test' installs it"))
struct WritingTests {
    @Test func conformsToWriting() async throws {
        let server = try SeaweedServer()
        _ = try await S3Writer(server.port, "bucket")
        let isOdd: @Sendable ([UInt8]) -> Bool = { $0.contains(UInt8(ascii: "\\")) }
        let suite = WritableConformance(names: .text, leavesOut: isOdd) { try await connect(server.port) }
        let violations = await suite.violations()
        #expect(violations == [], "\(violations)")
    }

    @Test func tellsAndComparesChecksums() async throws {
        let server = try SeaweedServer()
        _ = try await S3Writer(server.port, "bucket")
        let backend = try await connect(server.port)
        let path = try ItemPath("file")
        let sum = try #require(Checksum(.md5, hexadecimal: "5289df737df57326fcdd22597afb1fac"))
        let transaction = try await backend.write(path, FileDraft(size: 3))
        try await transaction.append([1, 2, 3], at: 0)
        #expect(try await transaction.commit(.ifAbsent, content: [sum]).checksum == sum)
        #expect(try await backend.checksums(of: path) == [sum])
        // A mark of many parts is no checksum.
        let bytes = [UInt8](repeating: 1, count: 9 << 20)
        let large = try await backend.write(try ItemPath("large"), FileDraft(size: Int64(bytes.count)))
        try await large.append(bytes, at: 0)
        _ = try await large.commit(.ifAbsent, content: [])
        #expect(try await backend.checksums(of: try ItemPath("large")) == [])
    }

    @Test func whatIsAbandonedTakesNoRoom() async throws {
        let server = try SeaweedServer()
        _ = try await S3Writer(server.port, "bucket")
        let backend = try await connect(server.port)
        let path = try ItemPath("large")
        let transaction = try await backend.write(path, FileDraft(size: 20 << 20, token: "a"))
        try await transaction.append([UInt8](repeating: 1, count: 17 << 20), at: 0)
        let key = Array("large".utf8)
        #expect(try await S3Upload.unfinished(key, backend.bucket, backend.client, "test").count == 1)
        await transaction.abandon()
        #expect(try await S3Upload.unfinished(key, backend.bucket, backend.client, "test").isEmpty)
    }

    static let faults: [(Int, String, PluginError.Code?)] = [
        (412, "PreconditionFailed", .exists), (409, "ConditionalRequestConflict", .exists),
        (507, "XMinioStorageFull", .noSpace), (403, "AccessDenied", .forbidden), (501, "NotImplemented", nil),
    ]

    @Test func understandsWhyNothingIsWritten() async throws {
        let server = try SeaweedServer()
        _ = try await S3Writer(server.port, "bucket")
        for (status, name, code) in Self.faults { try await understands(status, name, code, server) }
    }

    private func understands(
        _ status: Int, _ name: String, _ code: PluginError.Code?, _ server: SeaweedServer
    ) async throws {
        let proxy = try FaultProxy(before: server.port) { request in
            guard request.method == "PUT", code != nil || request.headers["if-none-match"] != nil else { return nil }
            return .answer(status: status, headers: [], body: "<Error><Code>\(name)</Code></Error>")
        }
        let backend = try await connect(proxy.port)
        let transaction = try await backend.write(try ItemPath("file"), FileDraft(size: 3))
        try await transaction.append([1, 2, 3], at: 0)
        if let code {
            let error = await #expect(throws: PluginError.self) {
                try await transaction.commit(.ifAbsent, content: [])
            }
            #expect(error?.code == code)
        } else {
            // It knows no conditions, and is asked without.
            _ = try await transaction.commit(.ifAbsent, content: [])
            #expect(try await backend.stat(try ItemPath("file")).size == 3)
        }
    }
}

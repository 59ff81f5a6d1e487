import TestServers
import Testing
import VitrineKit

@testable import S3Backend

/// Names that have to be written in a particular way in paths, queries and signatures, against real servers.
@Suite(.serialized) struct OddNameTests {
    private static let names = [
        "a+b c", "%2F", "a&b=c", "ü/ö", "a:b@c", "~*'()!", "$a,b;c", "a=1?b#c", "日本 語", "\u{1F600}", "a\u{301}",
        "a.b-c_d", "[a]{b}|^`\"<>", "+", "%",
    ]

    private func check(_ backend: S3Backend) async throws {
        for name in Self.names {
            // As an object, and as the folder that is a query's prefix.
            let folder = try ItemPath("dir " + name)
            let file = try ItemPath("dir " + name + "/" + name)
            #expect(try await backend.open(file).read(at: 0, count: 100) == Array(name.utf8), "\(name)")
            let first = try ItemPath(name.split(separator: "/").joined(separator: "/"))
            var listed: [[UInt8]] = []
            let parent = try ItemPath(folder.bytes + [47] + first.bytes).parent ?? .root
            for try await page in backend.list(parent) { listed += page.map(\.name) }
            #expect(listed == [file.name], "\(name)")
        }
    }

    @Test(.enabled(if: SeaweedServer.program != nil, "seaweedfs is not installed: 'make test' installs it"))
    func onSeaweedFS() async throws {
        let server = try SeaweedServer()
        let writer = try await S3Writer(server.port, "bucket")
        for name in Self.names { try await writer.put(Array("dir \(name)/\(name)".utf8), Array(name.utf8)) }
        try await check(try await connect(server.port))
    }

    @Test(.enabled(if: RcloneServer.program != nil, "rclone is not installed: 'make test' installs it"))
    func onRclone() async throws {
        let server = try RcloneServer(.s3)
        let writer = try await S3Writer(server.port, "bucket")
        for name in Self.names { try await writer.put(Array("dir \(name)/\(name)".utf8), Array(name.utf8)) }
        try await check(try await connect(server.port))
    }
}

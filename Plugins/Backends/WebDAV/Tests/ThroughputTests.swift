import TestServers
import Testing
import VitrineKit
import VitrineTesting
import WebDAVBackend

/// A thousand items from far away, over a network that fails now and then.
@Suite(.serialized, .enabled(if: NginxServer.isInstalled, "nginx is not installed: 'make test' installs it"))
struct ThroughputTests {
    private static let count = 1000

    @Test func errorsCostLittle() async throws {
        let server = try NginxServer()
        for number in 0..<Self.count { try TestFile.write("\(server.root)/\(number)", "content of \(number)") }
        let cost = try await NetworkCost(
            serverOfHTTP: server.port, content: { Array("content of \(String(decoding: $0, as: UTF8.self))".utf8) }
        ) { try await connect($0, ["stall-timeout": "1"]) }
        print(
            "1000 items over WebDAV: \(cost.clean.duration) clean, \(cost.faulty.duration) with errors, \(cost.ratio)")
        #expect(cost.clean.isWhole(Self.count) && cost.faulty.isWhole(Self.count), "\(cost)")
        #expect(cost.ratio >= 0.7)
    }
}

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
        ) { try await connect($0, FaultConformance.settings) }
        // For people: the clock says as much of the machine as of the backend.
        print(
            "1000 items over WebDAV: \(cost.clean.duration) clean, \(cost.faulty.duration) with errors, \(cost.ratio)")
        #expect(cost.clean.isWhole(Self.count) && cost.faulty.isWhole(Self.count), "\(cost)")
        // What failed is asked for again, and nothing else.
        #expect(cost.faultyTurns <= cost.cleanTurns * 11 / 10, "\(cost)")
    }

    @Test(.timeLimit(.minutes(10))) func whatStallsHoldsUpNothingElse() async throws {
        let server = try NginxServer()
        for number in 0..<100 { try TestFile.write("\(server.root)/\(number)", "content of \(number)") }
        let (stalled, stalls) = AsyncStream<Void>.makeStream()
        let proxy = try FaultProxy(before: server.port) { request in
            guard request.method == "GET", request.target == "/50" else { return nil }
            stalls.yield()
            return .stall(after: 3)
        }
        let backend = try await connect(proxy.port, ["stall-timeout": "3600", "timeout": "3600"])
        @Sendable func read(_ number: Int) async throws -> [UInt8] {
            try await backend.open(try ItemPath("\(number)")).read(at: 0, count: 100)
        }
        let held = Task { try await read(50) }
        for await _ in stalled { break }
        for number in 0..<100 where number != 50 {
            #expect(try await read(number) == Array("content of \(number)".utf8))
        }
        held.cancel()
        await #expect { _ = try await held.value } throws: { ($0 as? PluginError)?.code == .cancelled }
    }
}

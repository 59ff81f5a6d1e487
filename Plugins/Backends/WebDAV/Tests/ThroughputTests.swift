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
        for number in 0..<Self.count {
            try TestFile.write("\(server.root)/\(number).txt", "content of \(number)")
        }
        let clean = try await readAll(server) { _ in .delay(.milliseconds(50)) }
        // One in a hundred is reset, one in five hundred never ends.
        let faulty = try await readAll(server) { request in
            if request.number % 100 == 50 { return .reset }
            return request.number % 500 == 251 ? .stall(after: 3) : .delay(.milliseconds(50))
        }
        print("1000 items: \(clean) clean, \(faulty) with errors, throughput \(clean / faulty)")
        #expect(clean / faulty >= 0.7)
    }

    /// Lists and reads all items, sixteen at a time.
    /// - Returns: how long it took.
    private func readAll(
        _ server: NginxServer, _ fault: @escaping @Sendable (ProxiedRequest) -> Fault?
    ) async throws -> Duration {
        let proxy = try FaultProxy(before: server.port) { _ in nil }
        let backend = try await connect(proxy.port, ["stall-timeout": "1"])
        proxy.set(fault)
        let reading = try await BulkReading(backend) { name in
            let number = String(decoding: name, as: UTF8.self).split(separator: ".").first ?? ""
            return Array("content of \(number)".utf8)
        }
        #expect(reading.isWhole(Self.count), "\(reading)")
        return reading.duration
    }
}

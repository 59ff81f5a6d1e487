import SFTPBackend
import TestServers
import Testing
import VitrineKit
import VitrineTesting

@Suite(.serialized, .enabled(if: SSHServer.isInstalled, "openssh-server is not installed: 'make test' installs it"))
struct FaultTests {
    private func connect(
        _ port: UInt16, of server: SSHServer, _ values: [String: String] = FaultConformance.settings
    ) async throws(PluginError) -> SFTPBackend {
        try await SFTPBackend(
            source: SourceURI("sftp://\(server.user)@127.0.0.1:\(port)\(server.root)"),
            settings: BackendSettings(values: server.settings(at: port).merging(values) { $1 }))
    }

    @Test func survivesFaults() async throws {
        let server = try SSHServer()
        let suite = StreamFaultConformance(server: server.port, prepare: { try $0.write(below: server.root) }) {
            port, _ in try await connect(port, of: server)
        }
        let violations = await suite.violations()
        #expect(violations == [], "\(violations)")
    }

    @Test func errorsCostLittle() async throws {
        let server = try SSHServer()
        for number in 0..<300 { try TestFile.write("\(server.root)/\(number)", "content of \(number)") }
        let cost = try await NetworkCost(
            server: server.port, content: { Array("content of \(String(decoding: $0, as: UTF8.self))".utf8) }
        ) { port in try await connect(port, of: server) }
        print("300 items over SFTP: \(cost.clean.duration) clean, \(cost.faulty.duration) with errors, \(cost.ratio)")
        #expect(cost.clean.isWhole(300) && cost.faulty.isWhole(300), "\(cost)")
    }
}

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

    /// While a connection is made, too: who is not let in since the network failed has not been refused.
    @Test(arguments: [StreamFault.reset(after: 0), .cut(after: 3)])
    func connectionsThatBreakWhileTheyAreMadeAreMadeAgain(_ fault: StreamFault) async throws {
        let server = try SSHServer()
        let proxy = try StreamProxy(before: server.port) { _ in nil }
        let backend = try await connect(proxy.port, of: server)
        let turns = withExtendedLifetime(backend) { proxy.turns }
        #expect(turns > 5)
        for turn in 0..<turns {
            let proxy = try StreamProxy(before: server.port) { $0.connection == 0 && $0.turn == turn ? fault : nil }
            do {
                _ = try await connect(proxy.port, of: server)
            } catch { Issue.record("turn \(turn) of \(turns), \(fault): \(error)") }
        }
    }

    /// Such an end is no fault of the network, and trying on could lock the user out.
    @Test func whoTriesTooOftenIsRefused() async throws {
        let server = try SSHServer(options: "MaxAuthTries 1")
        let key = server.process.folder.path + "/host"
        let proxy = try StreamProxy(before: server.port) { _ in nil }
        let error = await #expect(throws: PluginError.self) {
            _ = try await connect(
                proxy.port, of: server, FaultConformance.settings.merging(["key-file": key]) { $1 })
        }
        #expect(error?.code == .unauthorized && proxy.connections == 1, "\(String(describing: error))")
    }

    @Test func errorsCostLittle() async throws {
        let server = try SSHServer()
        for number in 0..<300 { try TestFile.write("\(server.root)/\(number)", "content of \(number)") }
        let cost = try await NetworkCost(
            server: server.port, content: { Array("content of \(String(decoding: $0, as: UTF8.self))".utf8) }
        ) { port in
            // A log-in is a dozen answers of 50 ms and arithmetic, which within the second of the other tests a busy machine
            // does not do.
            try await connect(port, of: server, FaultConformance.settings.merging(["stall-timeout": "5"]) { $1 })
        }
        print("300 items over SFTP: \(cost.clean.duration) clean, \(cost.faulty.duration) with errors, \(cost.ratio)")
        #expect(cost.clean.isWhole(300) && cost.faulty.isWhole(300), "\(cost)")
    }
}

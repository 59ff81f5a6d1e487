import SFTPBackend
import TestServers
import Testing
import VitrineKit
import VitrineTesting

@Suite(.serialized, .enabled(if: SSHServer.isInstalled, "openssh-server is not installed: 'make test' installs it"))
struct ConformanceTests {
    @Test func conformsOnOpenSSH() async throws {
        let server = try SSHServer()
        let suite = BackendConformance(put: { try $0.write(below: server.root) }) { sample in
            try sample.write(below: server.root)
            return try await connect(server)
        }
        let violations = await suite.violations()
        #expect(violations == [], "\(violations)")
    }
}

/// A folder of a server on this machine.
func connect(
    _ server: SSHServer, _ values: [String: String] = [:], path: String = "", followsLinks: Bool = false
) async throws(PluginError) -> SFTPBackend {
    let settings = server.settings.merging(values) { $1 }.filter { $0.value != "-" }
    return try await SFTPBackend(
        source: SourceURI("sftp://\(server.user)@127.0.0.1:\(server.port)\(server.root)\(path)"),
        settings: BackendSettings(values: settings, followsLinks: followsLinks))
}

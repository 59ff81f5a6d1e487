import TestServers
import Testing
import VitrineKit
import VitrineTesting
import WebDAVBackend

@Suite(.serialized) struct ConformanceTests {
    @Test(.enabled(if: ApacheServer.isInstalled, "apache2 is not installed: 'make test' installs it"))
    func conformsOnApache() async throws {
        let server = try ApacheServer()
        let suite = BackendConformance(put: { try $0.write(below: server.root) }) { sample in
            try sample.write(below: server.root)
            return try await connect(server.port)
        }
        let violations = await suite.violations()
        #expect(violations == [], "\(violations)")
    }

    @Test(.enabled(if: NginxServer.isInstalled, "nginx is not installed: 'make test' installs it"))
    func conformsOnNginx() async throws {
        let server = try NginxServer()
        // It does not list what is hidden.
        let isHidden: @Sendable ([UInt8]) -> Bool = { $0.first == UInt8(ascii: ".") }
        let suite = BackendConformance(many: 2500, leavesOut: isHidden, put: { try $0.write(below: server.root) }) {
            sample in
            try sample.write(below: server.root)
            return try await connect(server.port)
        }
        let violations = await suite.violations()
        #expect(violations == [], "\(violations)")
    }

    @Test(.enabled(if: RcloneServer.program != nil, "rclone is not installed: 'make test' installs it"))
    func conformsOnRclone() async throws {
        let server = try RcloneServer(.webdav)
        let suite = BackendConformance(names: .text, many: 1000) { sample in
            try sample.write(below: server.root)
            return try await connect(server.port, ["user": "bob", "password": "secret"])
        }
        let violations = await suite.violations()
        #expect(violations == [], "\(violations)")
    }

    @Test(.enabled(if: ApacheServer.isInstalled, "apache2 is not installed: 'make test' installs it"))
    func survivesFaults() async throws {
        let server = try ApacheServer()
        let suite = FaultConformance(server: server.port, prepare: { try $0.write(below: server.root) }) {
            port, settings in try await connect(port, settings)
        }
        let violations = await suite.violations()
        #expect(violations == [], "\(violations)")
    }
}

/// The root of a server on this machine.
func connect(_ port: UInt16, _ values: [String: String] = [:], path: String = "") async throws -> WebDAVBackend {
    try await WebDAVBackend(
        source: SourceURI("dav://127.0.0.1:\(port)/\(path)"), settings: BackendSettings(values: values))
}

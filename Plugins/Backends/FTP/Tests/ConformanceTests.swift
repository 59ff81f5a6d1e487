import FTPBackend
import TestServers
import Testing
import VitrineKit
import VitrineTesting

@Suite(.serialized) struct ConformanceTests {
    @Test(
        .enabled(if: VSFTPServer.isInstalled, "vsftpd is not installed, or this is not root: 'make test' installs it"))
    func conformsOnVSFTP() async throws {
        let server = try VSFTPServer()
        // Commands are lines, and the server reads 255 as the beginning of Telnet's own.
        let suite = BackendConformance(
            many: 2500, leavesOut: { $0.contains { $0 < 0x20 || $0 == 0xFF } },
            put: { try $0.write(below: server.root) }
        ) { sample in
            try sample.write(below: server.root)
            return try await connect(server.port)
        }
        let violations = await suite.violations()
        #expect(violations == [], "\(violations)")
    }

    @Test(.enabled(if: RcloneServer.program != nil, "rclone is not installed: 'make test' installs it"))
    func conformsOnRclone() async throws {
        let server = try RcloneServer(.ftp)
        // Half a second for each range that ends early, since the server notices late: only names beyond ASCII are tried.
        let suite = BackendConformance(
            names: .text, many: 2500, leavesOut: Self.isOddASCII,
            put: { try $0.write(below: server.root) }
        ) { sample in
            try sample.write(below: server.root)
            return try await connect(server.port, ["user": "bob", "password": "secret"])
        }
        let violations = await suite.violations()
        #expect(violations == [], "\(violations)")
    }

    /// Whether a name has characters of ASCII other than letters, digits and dots.
    private static func isOddASCII(_ name: [UInt8]) -> Bool {
        name.contains { byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."): false
            default: byte < 0x80
            }
        }
    }
}

/// A folder of a server on this machine.
func connect(
    _ port: UInt16, _ values: [String: String] = [:], path: String = ""
) async throws(PluginError) -> FTPBackend {
    try await FTPBackend(
        source: SourceURI("ftp://127.0.0.1:\(port)/\(path)"), settings: BackendSettings(values: values))
}

import BoxBackend
import TestServers
import Testing
import VitrineKit
import VitrineTesting

/// Against a stub that follows Box's public documentation; never against Box.
@Suite(.serialized, .enabled(if: ServiceStub.isInstalled, "python3 is not installed: 'make test' installs it"))
struct ConformanceTests {
    @Test(arguments: ["", "deep/er"]) func conforms(base: String) async throws {
        let stub = try ServiceStub.box()
        var root = stub.root
        for part in base.split(separator: "/") {
            root += "/" + part
            try TestFile.makeFolder(root)
        }
        let served = root
        let suite = BackendConformance(names: .text, many: 2500, put: { try $0.write(below: served) }) { sample in
            try sample.write(below: served)
            return try await connect(stub, path: "/" + base)
        }
        let violations = await suite.violations()
        #expect(violations == [], "\(violations)")
    }

    @Test func survivesFaults() async throws {
        let stub = try ServiceStub.box(isOneHost: true)
        let suite = FaultConformance(server: stub.port, prepare: { try $0.write(below: stub.root) }) {
            port, settings in try await connect(stub, settings, port: port)
        }
        let violations = await suite.violations()
        #expect(violations == [], "\(violations)")
    }
}

/// A source of a stub, by the token that always lets in.
func connect(
    _ stub: ServiceStub, _ values: [String: String] = [:], path: String = "", port: UInt16? = nil
) async throws(PluginError) -> BoxBackend {
    let usual = [
        "token": "developer", "api-url": "http://127.0.0.1:\(port ?? stub.port)/2.0",
        "download-hosts": "127.0.0.1:\(stub.downloadPort)",
    ]
    return try await BoxBackend(
        source: SourceURI("box:" + path), settings: BackendSettings(values: usual.merging(values) { $1 }))
}

import TestServers
import Testing
import VitrineTesting

@Suite(.serialized) struct ConformanceTests {
    @Test(.enabled(if: SeaweedServer.program != nil, "seaweedfs is not installed: 'make test' installs it"))
    func conformsOnSeaweedFS() async throws {
        let server = try SeaweedServer()
        let writer = try await S3Writer(server.port, "bucket")
        // To it, as on Windows, this parts folders.
        let isOdd: @Sendable ([UInt8]) -> Bool = { $0.contains(UInt8(ascii: "\\")) }
        let suite = BackendConformance(
            names: .text, many: 2500, leavesOut: isOdd, put: { try await writer.put($0) }
        ) { sample in
            try await writer.put(sample)
            return try await connect(server.port)
        }
        let violations = await suite.violations()
        #expect(violations == [], "\(violations)")
    }

    @Test(.enabled(if: RcloneServer.program != nil, "rclone is not installed: 'make test' installs it"))
    func conformsOnRclone() async throws {
        let server = try RcloneServer(.s3)
        let root = server.root + "/bucket"
        try TestFile.makeFolder(root)
        // It does not show empty folders.
        let suite = BackendConformance(
            names: .text, many: 2500, leavesOut: { $0.elementsEqual("empty".utf8) }
        ) { sample in
            try sample.write(below: root)
            return try await connect(server.port)
        }
        let violations = await suite.violations()
        #expect(violations == [], "\(violations)")
    }

    @Test(.enabled(if: SeaweedServer.program != nil, "seaweedfs is not installed: 'make test' installs it"))
    func survivesFaults() async throws {
        let server = try SeaweedServer()
        let writer = try await S3Writer(server.port, "bucket")
        let suite = FaultConformance(server: server.port, prepare: { try await writer.put($0) }) {
            port, settings in try await connect(port, "bucket", settings)
        }
        let violations = await suite.violations()
        #expect(violations == [], "\(violations)")
    }
}

import TestServers
import Testing
import VitrineTesting

/// A thousand items from far away, over a network that fails now and then.
@Suite(
    .serialized,
    .enabled(if: SeaweedServer.program != nil, "seaweedfs is not installed: 'make test' installs it"))
struct ThroughputTests {
    private static let count = 1000

    @Test func errorsCostLittle() async throws {
        let server = try SeaweedServer()
        let writer = try await S3Writer(server.port, "bucket")
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<Self.count {
                group.addTask { try await writer.put(Array("\(number)".utf8), Array("content of \(number)".utf8)) }
            }
            try await group.waitForAll()
        }
        let cost = try await NetworkCost(
            serverOfHTTP: server.port, content: { Array("content of \(String(decoding: $0, as: UTF8.self))".utf8) }
        ) { try await connect($0, "bucket", FaultConformance.settings) }
        // For people: the clock says as much of the machine as of the backend.
        print("1000 items over S3: \(cost.clean.duration) clean, \(cost.faulty.duration) with errors, \(cost.ratio)")
        #expect(cost.clean.isWhole(Self.count) && cost.faulty.isWhole(Self.count), "\(cost)")
        // What failed is asked for again, and nothing else.
        #expect(cost.faultyTurns <= cost.cleanTurns * 11 / 10, "\(cost)")
    }
}

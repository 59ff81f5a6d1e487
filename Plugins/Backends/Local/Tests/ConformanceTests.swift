import LocalBackend
import Testing
import VitrineKit
import VitrineTesting

@Test func conforms() async throws {
    let tree = try TemporaryTree()
    let suite = BackendConformance(put: { try tree.put($0.path.bytes, $0.content) }) { sample in
        for node in sample.nodes { try tree.put(node.path.bytes, node.content) }
        return try await LocalBackend(source: tree.source, settings: BackendSettings())
    }
    let violations = await suite.violations()
    #expect(violations == [])
}

import Containment
import Foundation
import TestSupport
import Testing
import Workers

/// Whether a real worker is contained as the probe is.
@Suite struct WorkerLayerTests {
    @Test func `a real worker stands in every layer that the probe finds`() async throws {
        let pool = WorkerPool(program: Products.program("vitrine-worker"), maximumIdle: 0)
        let specification = WorkerSpecification(
            id: "hostile", library: Products.library("HostileRenderer"), pluginFolder: Products.folder.path,
            profile: .strictest)
        let layers = try await pool.readiness(of: specification).layers
        await pool.end()
        let found = try #require(try Contained([]).report)
        #expect(layers.map(\.layer) == Containment.Layer.allCases)
        for (layer, wanted) in zip(layers, found.layers) {
            #expect((layer.state == .active) == (wanted.state == .active), "\(layer)")
        }
    }
}

import Testing
import VitrineKit
import VitrineTesting

/// The suite itself: it accepts a renderer that keeps the contract, and notices each way to break it.
@Suite struct RendererConformanceTests {
    private func suite(_ fault: ToyRenderer.Fault?) -> RendererConformance {
        RendererConformance(
            samples: [
                RendererSample("two pages", mimeType: ToyRenderer.mimeType, bytes: ToyRenderer.sample, pages: 2)
            ],
            encrypted: RendererSample("a locked toy", mimeType: ToyRenderer.mimeType, bytes: ToyRenderer.locked)
        ) { _ throws(PluginError) in try ToyRenderer(fault: fault) }
    }

    @Test("A renderer that keeps the contract has no violation")
    func good() { #expect(suite(nil).violations() == []) }

    @Test("Each rule notices the renderer that breaks it", arguments: ToyRenderer.Fault.allCases)
    func bad(fault: ToyRenderer.Fault) {
        let rules = suite(fault).violations().map(\.rule)
        #expect(rules.contains(fault.rawValue))
    }

    @Test("Without a sample nothing is proved, and the suite says so")
    func noSample() {
        let suite = RendererConformance(samples: []) { _ throws(PluginError) in try ToyRenderer(fault: nil) }
        #expect(!suite.violations().isEmpty)
    }
}

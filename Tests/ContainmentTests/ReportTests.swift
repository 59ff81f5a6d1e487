import Containment
import Foundation
import Testing

@Suite struct ReportTests {
    private let report = ContainmentReport([
        LayerReport(.calls, .active), LayerReport(.files, .active), LayerReport(.files, .broken("it opened / once")),
        LayerReport(.namespaces, .absent("Operation not permitted")),
    ])

    @Test func `the worse of two reports counts, and a layer that is not named is absent`() {
        #expect(report[.files] == .broken("it opened / once"))
        #expect(report[.limits] == .absent("it was not tried"))
        #expect(report[.calls] == .active)
        #expect(!report.isComplete)
        #expect(report.lacking.count == Containment.Layer.allCases.count - 1)
        #expect(ContainmentReport(Containment.Layer.allCases.map { LayerReport($0, .active) }).isComplete)
    }

    @Test func `text and JSON bring it back`() throws {
        #expect(ContainmentReport(report.description) == report)
        #expect(try JSONDecoder().decode(ContainmentReport.self, from: JSONEncoder().encode(report)) == report)
    }

    @Test(arguments: [
        "seccomp", "seccomp maybe", "walls active", "seccomp active because",
        String(repeating: "x", count: 9000),
    ])
    func `anything else is no report`(text: String) {
        #expect(ContainmentReport(text) == nil)
    }
}

import PDFRenderer
import PDFSamples
import Testing
import VitrineKit

@Suite(.serialized) struct PDFRendererTests {
    private let trial = PDFTrial(created: "2024-05-03T12:02:11Z") { environment throws(PluginError) in
        try PDFRenderer(environment)
    }

    @Test("It does what is expected of every renderer of PDF", arguments: PDFExpectation.allCases)
    func expected(_ expectation: PDFExpectation) throws { try trial.hold(to: expectation) }
}

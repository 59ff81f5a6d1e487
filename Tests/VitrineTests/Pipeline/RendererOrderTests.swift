import Foundation
import PDFSamples
import TestSupport
import Testing
import Workers

@testable import Vitrine

/// Which of several renderers for a type draws an item.
@Suite(.timeLimit(.minutes(10))) struct RendererOrderTests {
    let scratch: TemporaryFolder

    init() throws { scratch = try TemporaryFolder() }

    @Test func `when a renderer fails the next one for the type is tried`() async throws {
        // A renderer of the same type and a higher priority, which is the same library and fails for this file.
        let plugins = scratch.path + "/plugins"
        let manifest = try String(
            contentsOf: Products.checkout.appending(path: "Plugins/Renderers/PDF/plugin.json"), encoding: .utf8)
        let hostile = try String(
            contentsOf: Products.checkout.appending(path: "Plugins/Testing/Hostile/plugin.json"), encoding: .utf8)
        #expect(manifest.contains("application/pdf"))
        try scratch.write(
            "plugins/first/plugin.json",
            Data(
                hostile.replacingOccurrences(of: #""id": "hostile""#, with: #""id": "first", "priority": 900"#)
                    .replacingOccurrences(of: "application/x-vitrine-hostile", with: "application/pdf")
                    .replacingOccurrences(of: "56495452494e452d484f5354494c450a", with: "255044462d").utf8))
        let pipeline = try PreviewPipeline(PipelineTests.configuration(scratch, plugins: plugins))
        let page = Products.fixtures.appending(path: "pdf/plain.pdf").path
        let explanation = try await pipeline.explain(
            try pipeline.source(Array(page.utf8), workingFolder: [UInt8(ascii: "/")]))
        #expect(explanation.candidates.map(\.name.id) == ["first", "pdfium", "pdf"])
        #expect(explanation.report.renderer?.id == "pdfium")
        guard case .made = explanation.report.outcome else {
            Issue.record("it was not rendered: \(explanation.report.outcome)")
            return
        }
        await pipeline.end()
    }

    @Test(arguments: [(true, "ok", "text"), (false, "ok", "first"), (true, "blank", "first")])
    func `a page of one colour is looked at by the next renderer where the first one says so and does not know better`(
        doubts: Bool, command: String, renderer: String
    ) async throws {
        // The hostile renderer's pictures are red; the text that makes it draw one has letters to the other renderer.
        let hostile = try String(
            contentsOf: Products.checkout.appending(path: "Plugins/Testing/Hostile/plugin.json"), encoding: .utf8)
        let first = #""id": "first", "priority": 900, "doubtsBlank": \#(doubts)"#
        try scratch.write(
            "plugins/first/plugin.json",
            Data(
                hostile.replacingOccurrences(of: #""id": "hostile""#, with: first)
                    .replacingOccurrences(of: "application/x-vitrine-hostile", with: "text/plain").utf8))
        let configuration = PipelineTests.configuration(scratch, plugins: scratch.path + "/plugins")
        let pipeline = try PreviewPipeline(configuration)
        let file = try scratch.write("items/a.txt", Data("VITRINE-HOSTILE\n\(command)\n".utf8))
        let explanation = try await pipeline.explain(
            try pipeline.source(Array(file.path.utf8), workingFolder: [UInt8(ascii: "/")]))
        #expect(explanation.report.renderer?.id == renderer)
        guard case .made = explanation.report.outcome else {
            Issue.record("it was not rendered: \(explanation.report.outcome)")
            return
        }
        await pipeline.end()
    }

    @Test(arguments: [
        ("200 0 0 100 0 0 cm BI /W 1 /H 1 /BPC 8 /CS /G /F /AHx ID FF> EI", 1), ("1 g 0 0 200 100 re f", 2),
    ])
    func `a page that is known to be white is drawn by one renderer only`(content: String, workers: Int) async throws {
        let pipeline = try PreviewPipeline(PipelineTests.configuration(scratch))
        let file = try scratch.write("items/a.pdf", Data(SampleDocuments.pages([content])))
        let explanation = try await pipeline.explain(
            try pipeline.source(Array(file.path.utf8), workingFolder: [UInt8(ascii: "/")]))
        #expect(explanation.report.renderer?.id == "pdfium")
        #expect(await pipeline.workers.startedCount == workers)
        await pipeline.end()
    }
}

import Foundation
import PluginHost
import TestSupport
import Testing
import VitrineKit

@testable import Vitrine

/// Which of several refusals is the reason that an item has no preview.
@Suite(.timeLimit(.minutes(10))) struct RefusalsTests {
    private let scratch: TemporaryFolder

    init() throws { scratch = try TemporaryFolder() }

    /// What one says of a type that it names, or `~` before it: that it takes for something wider.
    @Test(
        arguments: [
            (["unsupported", "corrupt"], 1), (["unsupported", "timeout"], 1),
            (["unsupported", "crashed", "corrupt"], 1),
            (["unsupported", "empty"], 1), (["unsupported", "unsupported"], 0), (["corrupt", "unsupported"], 0),
            (["corrupt", "timeout"], 0), (["limit-exceeded", "corrupt"], 0), (["unsupported", "locked"], 1),
            (["corrupt", "encrypted"], 1), (["unsupported", "crashed", "locked"], 2),
            // What another one might have drawn is not known.
            (["unsupported", "worker-lost"], 1), (["corrupt", "cancelled"], 1), (["corrupt", "~io"], 1),
            (["unsupported", "invalid-argument"], 1), (["corrupt", "invalid-argument"], 0),
            // That a document is no archive is no news, nor that bytes of a damaged one look like one that is locked.
            (["unsupported", "~corrupt"], 0), (["corrupt", "~locked"], 0),
            (["unsupported", "~corrupt", "~crashed"], 0),
        ] as [([String], Int)])
    func `the most telling reason of those who draw the very type is the reason`(
        codes: [String], expected: Int
    ) throws {
        let plugin = try #require(try renderers().first)
        var refusals = Refusals()
        #expect(refusals.isEmpty && refusals.decisive == nil)
        for (index, code) in codes.enumerated() {
            let reason = PluginError(PluginError.Code(rawValue: code.replacing("~", with: "")), String(index))
            refusals.add(reason, plugin, isAlike: !code.hasPrefix("~"))
        }
        #expect(refusals.decisive?.reason.message == String(expected))
        #expect(refusals.wasInterrupted == codes.contains("cancelled"))
    }

    @Test func `a renderer that does not know a variety does not hide that the file is damaged`() async throws {
        // The hostile renderer says what the file tells it to say, and those of PDF that it is none.
        let hostile = try String(
            contentsOf: Products.checkout.appending(path: "Plugins/Testing/Hostile/plugin.json"), encoding: .utf8)
        try scratch.write(
            "plugins/first/plugin.json",
            Data(
                hostile.replacing(#""id": "hostile""#, with: #""id": "first", "priority": 900"#)
                    .replacing("application/x-vitrine-hostile", with: "application/pdf").utf8))
        let pipeline = try PreviewPipeline(PipelineTests.configuration(scratch, plugins: scratch.path + "/plugins"))
        try scratch.hostile("items/a.pdf", "error unsupported nothing in it is for me")
        let items = try SourceURI("file://" + PercentEncoding.encode((scratch.path + "/items").utf8))
        let explanation = try await pipeline.explain(SourceURI(file: Array((scratch.path + "/items/a.pdf").utf8)))
        #expect(explanation.candidates.map(\.name.id) == ["first", "pdfium", "pdf"])
        #expect(explanation.report.renderer?.id == "pdfium")
        #expect(explanation.report.refusals.map(\.renderer.id) == ["first", "pdf"])
        #expect(explanation.report.refusals.compactMap(\.reason?.code) == [.unsupported, .corrupt])
        let first = await pipeline.prebuild([items])
        #expect(first.failures.map(\.error.code) == [.corrupt])
        let second = await pipeline.prebuild([items])
        #expect(second.failures.map(\.error.code) == [.corrupt] && second.failures.map(\.remembered) == [true])
        await pipeline.end()
    }

    @Test func `a document that is larger than its renderer takes is not gone through as an archive`() async throws {
        let pipeline = try PreviewPipeline(PipelineTests.configuration(scratch))
        // Only holes, behind the beginning of a zip file without a list.
        let file = try scratch.write("items/a.docx", Data("PK\u{3}\u{4}\u{14}\u{0}".utf8))
        #expect(truncate(file.path, 1 << 30) == 0)
        let explanation = try await pipeline.explain(SourceURI(file: Array(file.path.utf8)))
        #expect(explanation.candidates.map(\.name.id) == ["office", "archive"])
        guard case .failed(let error, _) = explanation.report.outcome else {
            Issue.record("it is \(explanation.report.outcome)")
            return
        }
        #expect(error.code == .limitExceeded && error.message.contains("at most 256 MiB (input)"), "\(error.message)")
        #expect(explanation.report.renderer?.id == "office" && explanation.report.refusals.isEmpty)
        await pipeline.end()
    }

    /// One renderer, of which nothing is started.
    private func renderers() throws -> [InstalledPlugin] {
        let fields = #""version": "1", "abi": 1, "kind": "renderer", "library": "l.so", "types": ["x/y"]"#
        try scratch.write("plugins/a/plugin.json", Data("{\"id\": \"a\", \(fields)}".utf8))
        try scratch.write("plugins/a/l.so", Data("not ELF".utf8))
        return PluginDirectory(scanning: PluginSearchPath(folders: [scratch.path + "/plugins"])).renderers
    }
}

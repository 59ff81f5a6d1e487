import Finishing
import Foundation
import PreviewCache
import TestSupport
import Testing
import VitrineKit

@testable import Vitrine

/// What is remembered of pictures that cannot be made.
@Suite(.timeLimit(.minutes(10))) struct FinishFailureTests {
    private let scratch: TemporaryFolder
    private let pipeline: PreviewPipeline

    init() throws {
        scratch = try TemporaryFolder()
        pipeline = try PreviewPipeline(PipelineTests.configuration(scratch))
    }

    private func report(_ path: String, _ finish: Finish, _ size: Int) async throws -> ItemReport {
        var order = RenderOrder(sizes: [try PreviewSize(pixels: size)])
        order.variant.finish = finish
        return try await pipeline.report(on: ItemLocation(item: SourceURI(file: Array(path.utf8))), order)
    }

    private func failure(_ report: ItemReport) -> (code: PluginError.Code, isRemembered: Bool)? {
        guard case .failed(let error, let isRemembered) = report.outcome else { return nil }
        return (error.code, isRemembered)
    }

    @Test func `what a format cannot hold is drawn once`() async throws {
        let drawing = """
            <svg xmlns="http://www.w3.org/2000/svg" width="16384" height="16"><rect width="99" height="9"/></svg>
            """
        let file = try scratch.write("wide.svg", Data(drawing.utf8)).path
        var webp = Finish.plain
        webp.format = .webp
        let first = try await report(file, webp, 16_384)
        #expect(failure(first)?.code == .limitExceeded && !first.wasNotRead)
        // It is found out anew, from what is kept.
        let second = try await report(file, webp, 16_384)
        #expect(failure(second)?.code == .limitExceeded && second.wasNotRead)
        guard case .valid = try await report(file, .plain, 16_384).outcome else {
            Issue.record("the preview itself is not there")
            return
        }
        await pipeline.end()
    }

    @Test func `what fails at twice the size says nothing about the size`() async throws {
        let file = try scratch.hostile("a.hostile", "crash").path
        var square = Finish.plain
        square.fit = .cover(.center)
        for _ in 0..<2 {
            let failure = failure(try await report(file, square, 512))
            #expect(failure?.code == .crashed && failure?.isRemembered == false)
        }
        for isRemembered in [false, true] {
            let failure = failure(try await report(file, .plain, 128))
            #expect(failure?.code == .crashed && failure?.isRemembered == isRemembered)
        }
        await pipeline.end()
    }
}

import Foundation
import TestSupport
import Testing
import VitrineKit

@testable import Vitrine

/// Runs that are stopped while they deal with what lies at another place than before.
@Suite(.timeLimit(.minutes(10))) struct StoppedMoveTests {
    @Test func `previews and notes follow all that the catalog knows at its new place, though the run is stopped`()
        async throws
    {
        let scratch = try TemporaryFolder()
        var configuration = PipelineTests.configuration(scratch)
        configuration.catalog = scratch.path + "/cache/vitrine/catalog.sqlite"
        let (followed, follower) = AsyncStream<String>.makeStream()
        configuration.onMoved = { _, new in follower.yield(new) }
        let pipeline = try PreviewPipeline(configuration)
        let count = 300
        for number in 0..<count {
            try scratch.write("items/a/\(number).hostile", Data("VITRINE-HOSTILE\nok\n\(number)\n".utf8))
        }
        let items = try SourceURI("file://" + PercentEncoding.encode((scratch.path + "/items").utf8))
        #expect(await pipeline.prebuild([items]).total.made == count)

        try FileManager.default.createDirectory(atPath: scratch.path + "/items/b", withIntermediateDirectories: true)
        for number in 0..<count {
            try FileManager.default.moveItem(
                atPath: scratch.path + "/items/a/\(number).hostile", toPath: scratch.path + "/items/b/\(number).hostile"
            )
        }
        let events = pipeline.wholeProgress()
        let run = Task { await pipeline.prebuild([items]) }
        var (moved, removed) = (0, 0)
        for await event in events {
            if case .moved = event {
                moved += 1
                run.cancel()
            }
            if case .removed = event { removed += 1 }
            if case .finished = event { break }
        }
        #expect(await run.value.wasInterrupted)
        #expect(moved == count && removed == 0, "\(moved) moved, \(removed) removed")
        follower.finish()
        #expect(await followed.reduce(into: Set<String>()) { $0.insert($1) }.count == count)
        let again = await pipeline.prebuild([items])
        #expect(again.total.made == 0 && again.total.valid == count)
        await pipeline.end()
    }
}

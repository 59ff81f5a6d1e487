import TestSupport
import Testing
import VitrineKit
import VitrineTesting

@testable import Vitrine

/// Items that somebody asks for while a folder's picture is made of them.
@Suite(.timeLimit(.minutes(10))) struct SharedReportTests {
    let scratch: TemporaryFolder
    let pipeline: PreviewPipeline

    init() throws {
        scratch = try TemporaryFolder()
        pipeline = try PreviewPipeline(PipelineTests.configuration(scratch))
    }

    @Test(arguments: [[true, false], [false, true], [true, true], [false, false]])
    func `a file and a part of its folder's picture are drawn once and told of once`(areParts: [Bool]) async throws {
        let source = try SourceURI("test:///top")
        let backend = try await InMemoryBackend(source: source, settings: BackendSettings())
        let path = try ItemPath("a.txt")
        backend.put(path, content: Array("text".utf8))
        let storage = Storage(source: source, backend: backend, seconds: 3600)
        let item = Item(storage: storage, path: path, entry: try await storage.stat(path))
        var order = RenderOrder(sizes: [.large])
        order.mayAsk = false
        let key = WorkKey(item.uri, order)
        let events = pipeline.hub.events(of: .everything, buffer: 100)

        // The work of both waits for another one of the same key, which the first of them would be.
        let gate = AsyncStream.makeStream(of: Void.self)
        let (pipeline, asked) = (pipeline, order)
        async let work = pipeline.coalescer.value(for: key, whenCancelled: SharedReport(left: item)) { _ in
            for await _ in gate.stream { break }
            return SharedReport(await pipeline.process(item, asked))
        }
        try await Condition.met("the work is begun") { pipeline.coalescer.waiting(for: key) == 1 }
        let tasks = areParts.map { isPart in
            Task {
                var order = asked
                order.isPart = isPart
                return await pipeline.shared(item, order)
            }
        }
        try await Condition.met("both wait") { pipeline.coalescer.waiting(for: key) == 3 }
        gate.continuation.yield()
        let done = await work.report
        for task in tasks { #expect(await task.value.times.total == done.times.total) }
        pipeline.hub.send(.notice(source: "test:", "end"))
        var told = 0
        for await event in events {
            if case .item(let report) = event, report.uri == item.uri { told += 1 }
            if case .notice = event { break }
        }
        #expect(told == (areParts.contains(false) ? 1 : 0))
        await pipeline.end()
    }
}

import Foundation
import PluginHost
import PreviewCache
import TestSupport
import Testing
import VitrineKit
import WorkerWire

@testable import Vitrine

/// The pipeline with its real plugins and workers, in a cache of its own.
@Suite(.timeLimit(.minutes(10))) struct PipelineTests {
    let scratch: TemporaryFolder
    let pipeline: PreviewPipeline

    init() throws {
        scratch = try TemporaryFolder()
        pipeline = try PreviewPipeline(Self.configuration(scratch))
    }

    static func configuration(_ scratch: TemporaryFolder, plugins: String? = nil) -> PipelineConfiguration {
        PipelineConfiguration(
            cache: CacheFolders(
                thumbnails: scratch.path + "/cache/thumbnails", previews: scratch.path + "/cache/vitrine/previews"),
            plugins: PluginSearchPath(
                folders: (plugins.map { [$0] } ?? []) + [Products.checkout.appending(path: "Plugins").path],
                libraryFolders: [Products.folder.path]),
            workerProgram: Products.program("vitrine-worker"), jobs: 2)
    }

    private func folder() throws -> SourceURI {
        try SourceURI("file://" + PercentEncoding.encode((scratch.path + "/items").utf8))
    }

    @Test func `a preview of one page is made where it is expected`() async throws {
        let page = Products.fixtures.appending(path: "pdf/plain.pdf").path
        let preview = try await pipeline.preview(of: page, size: .large)
        #expect(FileManager.default.fileExists(atPath: preview.path))
        await pipeline.end()
    }

    @Test func `who finds no plugin that can be used is told why`() throws {
        let plugin = scratch.path + "/plugins/one"
        try FileManager.default.createDirectory(atPath: plugin, withIntermediateDirectories: true)
        var configuration = Self.configuration(scratch)
        configuration.plugins = PluginSearchPath(folders: [scratch.path + "/plugins"])
        #expect { try PreviewPipeline(configuration) } throws: { error in
            let text = "\(error)"
            return text.hasPrefix("no renderer was found in '\(scratch.path)/plugins'") && !text.contains("refused")
        }
        try Data("{".utf8).write(to: URL(filePath: plugin + "/plugin.json"))
        #expect { try PreviewPipeline(configuration) } throws: { error in
            "\(error)".contains("plugins that were refused: 1, the first since the manifest '\(plugin)/plugin.json'")
        }
    }

    @Test func `a second run renders nothing, a changed file is rendered again`() async throws {
        let file = try scratch.hostile("items/a.hostile", "ok")
        let first = await pipeline.prebuild([try folder()])
        #expect(first.total.made == 1)
        #expect(first.byKind.keys.sorted() == ["Hostile files for tests"])
        let second = await pipeline.prebuild([try folder()])
        #expect(second.total == .init(valid: 1))
        let later = Date(timeIntervalSinceNow: 100)
        try FileManager.default.setAttributes([.modificationDate: later], ofItemAtPath: file.path)
        #expect(await pipeline.prebuild([try folder()]).total.made == 1)
        var options = PrebuildOptions()
        options.force = true
        #expect(await pipeline.prebuild([try folder()], options).total.made == 1)
        await pipeline.end()
    }

    @Test func `a picture that a worker made up is no fault of the cache`() async throws {
        let picture = RenderAnswer.Picture(offset: 0, length: 64, size: PixelSize(width: 64, height: 48))
        let answer = RenderAnswer(number: 1, pictures: [picture], facts: Facts(), renderTime: 0, encodeTime: 0)
        let message = WorkerMessage.rendered(answer).encoded().map { String(format: "%02x", $0) }.joined()
        try scratch.hostile("items/a.hostile", "lie \(message)")
        let run = await pipeline.prebuild([try folder()])
        #expect(run.failures.map(\.error.code) == [.invalidAnswer] && run.unkept == 0)
        let item = try scratch.hostile("items/a.hostile", "ok").path
        let entry = try await pipeline.preview(of: item, size: .large).path
        // A folder where the preview belongs keeps it from being stored, and no other.
        try FileManager.default.removeItem(atPath: entry)
        try FileManager.default.createDirectory(atPath: entry + "/inner", withIntermediateDirectories: true)
        try scratch.hostile("items/b.hostile", "ok")
        let second = await pipeline.prebuild([try folder()])
        #expect(second.total.made == 1 && second.unkept == 1 && second.stopped == nil, "\(second.failures)")
        await pipeline.end()
    }

    @Test func `nothing is drawn for a cache that cannot be written to`() async throws {
        try scratch.hostile("items/a.hostile", "ok")
        try scratch.write("cache/thumbnails", Data())
        let run = await pipeline.prebuild([try folder()])
        #expect(run.found == 0 && run.total == .init(), "\(run.failures)")
        #expect(
            run.stopped?.message.contains("\(scratch.path)/cache/thumbnails") == true,
            "\(String(describing: run.stopped))")
        // What is kept in the other store is made.
        #expect(
            await pipeline.prebuild([try folder()], PrebuildOptions(sizes: [try PreviewSize(pixels: 300)])).total.made
                == 1)
        await pipeline.end()
    }

    @Test func `a failure costs its item, is remembered, and forgotten when the item changes`() async throws {
        let file = try scratch.hostile("items/bad.hostile", "crash")
        try scratch.hostile("items/good.hostile", "ok")
        let first = await pipeline.prebuild([try folder()])
        #expect(first.total.made == 1)
        #expect(first.failures.map(\.error.code) == [.crashed])
        #expect(first.failures.map(\.remembered) == [false])
        let second = await pipeline.prebuild([try folder()])
        #expect(second.failures.map(\.error.code) == [.crashed])
        #expect(second.failures.map(\.remembered) == [true])
        try scratch.hostile("items/bad.hostile", "ok now")
        try FileManager.default.setAttributes(
            [.modificationDate: Date(timeIntervalSinceNow: 50)], ofItemAtPath: file.path)
        let third = await pipeline.prebuild([try folder()])
        #expect((third.total.made, third.total.valid, third.total.failed) == (1, 1, 0))
        await pipeline.end()
    }

    @Test func `a failure tells where the time went`() async throws {
        let file = try scratch.hostile("items/bad.hostile", "error corrupt it is no document")
        let explanation = try await pipeline.explain(SourceURI(file: Array(file.path.utf8)))
        guard case .failed(let error, _) = explanation.report.outcome else {
            Issue.record("it is \(explanation.report.outcome)")
            return
        }
        let times = explanation.report.times
        #expect(error.code == .corrupt && times.start > .zero && times.render > .zero && times.wait > .zero)
        #expect(times.start + times.render + times.wait <= times.total)
        await pipeline.end()
    }

    @Test func `a passing failure is not remembered`() async throws {
        try scratch.hostile("items/a.hostile", "error io the disk has a bad day")
        for _ in 0..<2 {
            let run = await pipeline.prebuild([try folder()])
            #expect(run.failures.map(\.error.code) == [.io])
            #expect(run.failures.map(\.remembered) == [false])
        }
        await pipeline.end()
    }

    @Test func `an empty text is skipped, an empty document is a failure`() async throws {
        for name in ["a.txt", "b.py", "c.json"] { try scratch.write("items/" + name, Data()) }
        try scratch.write("items/blank.txt", Data("\n \n".utf8))
        let texts = await pipeline.prebuild([try folder()])
        #expect((texts.skipped, texts.total) == (4, .init()))
        // A drawing is written in letters too, but of an empty one somebody expects more.
        for name in ["d.pdf", "e.svg"] { try scratch.write("items/" + name, Data()) }
        let all = await pipeline.prebuild([try folder()])
        #expect(all.failures.map(\.error.code) == [.empty, .empty])
        #expect((all.skipped, all.total) == (4, .init(failed: 2)))
        await pipeline.end()
    }

    @Test func `a drawing that fails is not drawn as text`() async throws {
        try scratch.write("items/a.svg", Data("<svg xmlns=\"http://www.w3.org/2000/svg\"><rect".utf8))
        let run = await pipeline.prebuild([try folder()])
        #expect(run.failures.map(\.error.code) == [.corrupt])
        #expect(run.failures.first?.error.message.contains("SVG") == true)
        await pipeline.end()
    }

    @Test func `a worker's forged picture never reaches the cache`() async throws {
        // A PNG whose header says another size than the answer does.
        try scratch.hostile("items/a.hostile", "garbage")
        let run = await pipeline.prebuild([try folder()])
        #expect(run.failures.map(\.error.code) == [.invalidAnswer])
        #expect(!FileManager.default.fileExists(atPath: scratch.path + "/cache/thumbnails/large"))
        await pipeline.end()
    }

    @Test func `thumbnails of thumbnails are not made`() async throws {
        try scratch.hostile("items/.sh_thumbnails/large/a.hostile", "ok")
        try scratch.hostile("cache/thumbnails/large/b.hostile", "ok")
        var options = PrebuildOptions()
        options.includesHidden = true
        let all = try SourceURI("file://" + PercentEncoding.encode(scratch.path.utf8))
        let run = await pipeline.prebuild([all], options)
        #expect(run.total == .init())
        #expect(run.skipped == 2)
        await pipeline.end()
    }

    @Test func `one rendering makes every size, in the layout that fits`() async throws {
        try scratch.hostile("items/a.hostile", "huge-bitmap 1500")
        let sizes = PreviewSize.standard + [try PreviewSize(pixels: 300)]
        let run = await pipeline.prebuild([try folder()], PrebuildOptions(sizes: sizes))
        #expect(run.total.made == 1)
        let files = FileManager.default.enumerator(atPath: scratch.path + "/cache")?.allObjects as? [String] ?? []
        let pictures = files.filter { $0.hasSuffix(".png") }
        #expect(pictures.count == 5)
        #expect(pictures.filter { $0.hasPrefix("vitrine/previews/") }.count == 1)
        await pipeline.end()
    }

    @Test func `a dry run makes nothing and counts what it would make`() async throws {
        try scratch.hostile("items/a.hostile", "ok")
        try scratch.write("items/b.unknown", Data([1, 2, 3, 4, 255, 254]))
        var options = PrebuildOptions()
        options.isDryRun = true
        let run = await pipeline.prebuild([try folder()], options)
        #expect(run.total == .init(planned: 1))
        #expect(run.skipped == 1)
        #expect(!FileManager.default.fileExists(atPath: scratch.path + "/cache"))
        await pipeline.end()
    }

    @Test func `a run that is cancelled says how far it came`() async throws {
        for number in 0..<20 { try scratch.hostile("items/\(number).hostile", "hang") }
        let source = try folder()
        let events = pipeline.progress()
        let run = Task { await pipeline.prebuild([source]) }
        for await event in events {
            if case .advanced(let progress) = event, progress.current != nil { break }
        }
        run.cancel()
        let summary = await run.value
        #expect(summary.wasInterrupted)
        #expect(summary.total.made == 0)
        #expect(summary.failures.isEmpty)
        await pipeline.end()
    }

    @Test func `listeners hear of their topic until the end`() async throws {
        try scratch.hostile("items/a.hostile", "ok")
        try scratch.hostile("items/b.hostile", "error corrupt no")
        let source = try folder()
        let ofRun = pipeline.progress(of: .source(source.text))
        let ofItem = pipeline.progress(of: .item(source.text + "/b.hostile"))
        let summary = await pipeline.prebuild([source])
        var items: Set<String> = []
        for await event in ofRun {
            if case .item(let report) = event { items.insert(report.uri) }
            if case .finished(let last) = event {
                #expect(last.total == summary.total)
                break
            }
        }
        #expect(items == [source.text + "/a.hostile", source.text + "/b.hostile"])
        var iterator = ofItem.makeAsyncIterator()
        guard case .item(let report) = await iterator.next(), case .failed(let error, _) = report.outcome else {
            Issue.record("the item's topic was silent")
            return
        }
        #expect(error.code == .corrupt)
        await pipeline.end()
    }

    @Test func `a source that is not there is named, and the others are done`() async throws {
        try scratch.hostile("items/a.hostile", "ok")
        let nowhere = try SourceURI("file:///nowhere/at/all")
        let run = await pipeline.prebuild([nowhere, try folder()])
        #expect(run.failedSources.map(\.uri) == ["file:///nowhere/at/all"])
        #expect(run.failedSources.map(\.error.code) == [.notFound])
        #expect(run.total.made == 1)
        await pipeline.end()
    }
}

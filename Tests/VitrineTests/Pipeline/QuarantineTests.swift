import Foundation
import PreviewCache
import Settings
import TestSupport
import Testing
import VitrineKit

@testable import Vitrine

/// The pipeline with settings: bounds, quarantine, and what is tried again.
@Suite(.timeLimit(.minutes(10))) struct QuarantineTests {
    let scratch: TemporaryFolder

    init() throws { scratch = try TemporaryFolder() }

    private func pipeline(_ settings: String = "") throws -> PreviewPipeline {
        var configuration = PipelineTests.configuration(scratch)
        configuration.settings = try Settings(text: settings, file: "config")
        return try PreviewPipeline(configuration)
    }

    private func folder() throws -> SourceURI {
        try SourceURI("file://" + PercentEncoding.encode((scratch.path + "/items").utf8))
    }

    @Test func `what overran is tried in two runs, and then known`() async throws {
        let file = try scratch.hostile("items/a.hostile", "hang")
        let pipeline = try pipeline("[plugin hostile]\nseconds = 1s\n")
        for remembered in [false, false, true] {
            let run = await pipeline.prebuild([try folder()])
            #expect(run.failures.map(\.error.code) == [.timeout])
            #expect(run.failures.map(\.remembered) == [remembered])
        }
        #expect(pipeline.quarantine().map(\.failure.count) == [2])
        // A change of the file is a new beginning.
        try scratch.hostile("items/a.hostile", "ok")
        try FileManager.default.setAttributes(
            [.modificationDate: Date(timeIntervalSinceNow: 50)], ofItemAtPath: file.path)
        #expect(await pipeline.prebuild([try folder()]).total.made == 1)
        #expect(pipeline.quarantine() == [])
        await pipeline.end()
    }

    @Test func `a place with a query is that of another server`() async throws {
        let pipeline = try pipeline()
        let query = "?endpoint=https://s3.example.org"
        for uri in ["s3://b/p/x", "s3://b/p/x" + query] {
            let subject = Subject(uri: uri, modified: Timestamp(seconds: 1))
            try pipeline.cache.rememberFailure(PluginError(.corrupt, "broken"), of: subject, renderer: "pdf 1")
        }
        for suffix in ["", query] {
            #expect(pipeline.quarantine(below: ["s3://b/p" + suffix]).map(\.uri) == ["s3://b/p/x" + suffix])
        }
        await pipeline.end()
    }

    @Test func `exactly the failures that are asked for are tried again`() async throws {
        let date = Date(timeIntervalSince1970: 1_700_000_000)
        for name in ["a/1", "a/2", "b/3"] {
            let file = try scratch.hostile("items/\(name).hostile", "error corrupt no")
            try FileManager.default.setAttributes([.modificationDate: date], ofItemAtPath: file.path)
        }
        let pipeline = try pipeline()
        #expect(await pipeline.prebuild([try folder()]).total.failed == 3)
        let below = pipeline.quarantine(below: [try folder().text + "/a"])
        #expect(below.count == 2)
        #expect(pipeline.quarantine(below: [try folder().text + "/a/1.hostil"]).isEmpty)
        #expect(pipeline.quarantine(below: [try folder().text + "/a/1.hostile"]).count == 1)

        // One is mended in a way that only trying shows, one is gone.
        let mended = try scratch.hostile("items/a/1.hostile", "ok              ")
        try FileManager.default.setAttributes([.modificationDate: date], ofItemAtPath: mended.path)
        try FileManager.default.removeItem(atPath: scratch.path + "/items/a/2.hostile")
        let run = await pipeline.retry(below)
        #expect(run.total.made == 1)
        #expect(run.total.failed == 0)
        #expect(run.failedSources.isEmpty)
        #expect(run.gone == [try folder().text + "/a/2.hostile"])
        #expect(pipeline.quarantine().map(\.uri) == [try folder().text + "/b/3.hostile"])
        await pipeline.end()
    }

    @Test func `what cannot be reached is not forgotten`() async throws {
        for name in ["disk/a/1", "disk/2", "other/b/3"] {
            try scratch.hostile("items/\(name).hostile", "error corrupt no")
        }
        let pipeline = try pipeline()
        #expect(await pipeline.prebuild([try folder()]).total.failed == 3)
        // A disk that is not mounted leaves an empty folder; a folder that was removed leaves its neighbours.
        let items = scratch.path + "/items/"
        try FileManager.default.moveItem(atPath: items + "disk", toPath: scratch.path + "/elsewhere")
        try FileManager.default.createDirectory(atPath: items + "disk", withIntermediateDirectories: false)
        try scratch.write("items/other/c", Data("x".utf8))
        try FileManager.default.removeItem(atPath: items + "other/b")
        let run = await pipeline.retry(pipeline.quarantine())
        let uri = try folder().text
        #expect(run.failedSources.map(\.uri) == [uri + "/disk/a/1.hostile"])
        // Its folder is there without it.
        #expect(Set(run.gone) == [uri + "/disk/2.hostile", uri + "/other/b/3.hostile"])
        #expect(pipeline.quarantine().map(\.uri) == [uri + "/disk/a/1.hostile"])
        await pipeline.end()
    }

    @Test func `what exceeded a limit is tried again once the limit is raised`() async throws {
        try scratch.write("items/b.hostile", Data("VITRINE-HOSTILE\nok\n".utf8) + Data(repeating: 32, count: 1 << 20))
        for (settings, remembered) in [
            ("input = 1MiB", false), ("input = 1MiB", true), ("input = 1MiB\nworkers = 1", true),
            ("input = 1MiB\nmegapixels = 9", false),
        ] {
            let small = try pipeline("[plugin hostile]\n\(settings)\n")
            let run = await small.prebuild([try folder()])
            #expect(run.failures.map(\.error.code) == [.limitExceeded])
            #expect(run.failures.map(\.remembered) == [remembered], "\(settings)")
            #expect(small.quarantine().map(\.failure.renderer) == ["hostile 1.0.0"])
            #expect(small.quarantine().map(\.failure.count) == [1])
            await small.end()
        }
        let large = try pipeline("[plugin hostile]\ninput = 2MiB\n")
        #expect(await large.prebuild([try folder()]).total.made == 1)
        #expect(large.quarantine() == [])
        await large.end()
    }

    @Test func `settings go before what a plugin says`() async throws {
        try scratch.hostile("items/a.hostile", "ok")
        let small = try pipeline("[plugin hostile]\npages = 3\ninput = 1MiB\n")
        let uri = try folder().text + "/a.hostile"
        await #expect { _ = try await small.preview(of: uri, size: .large, variant: Variant(page: 3)) } throws: {
            let error = $0 as? PluginError
            return error?.code == .limitExceeded && error?.message.contains("(pages)") == true
        }
        // Nothing is added to the largest number there is.
        await #expect(throws: PluginError.self) {
            try await small.preview(of: uri, size: .large, variant: Variant(page: .max))
        }
        try scratch.write("items/b.hostile", Data("VITRINE-HOSTILE\nok\n".utf8) + Data(repeating: 32, count: 1 << 20))
        let run = await small.prebuild([try folder()])
        #expect(run.total.made == 1)
        #expect(run.failures.map(\.error.code) == [.limitExceeded])
        #expect(run.failures.first?.error.message.contains("(input)") == true)
        await small.end()

        let without = try pipeline("[plugin hostile]\nenabled = false\n[plugin text]\nenabled = false\n")
        var options = PrebuildOptions()
        options.force = true
        #expect(await without.prebuild([try folder()], options).skipped == 2)
        await without.end()
    }
}

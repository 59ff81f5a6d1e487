import Catalog
import Foundation
import Library
import TestSupport
import Testing
import VitrineKit

@testable import Vitrine

/// Runs over sources that lie in one another, with a catalog.
@Suite(.timeLimit(.minutes(10))) struct RunSourceTests {
    let scratch: TemporaryFolder
    let pipeline: PreviewPipeline
    private let catalog: Catalog

    init() throws {
        scratch = try TemporaryFolder()
        var configuration = PipelineTests.configuration(scratch)
        let path = scratch.path + "/cache/vitrine/catalog.sqlite"
        configuration.catalog = path
        pipeline = try PreviewPipeline(configuration)
        catalog = try Catalog.open(at: path).catalog
    }

    private func uri(_ name: String) -> SourceURI { SourceURI(file: Array("\(scratch.path)/\(name)".utf8)) }

    private func registered(_ name: String, _ options: SourceOptions = SourceOptions()) -> RegisteredSource {
        RegisteredSource(
            name: String(name.split(separator: "/").last ?? ""), uri: uri(name).text, options: options,
            added: Timestamp(seconds: 0))
    }

    private func write(_ names: String...) throws { for name in names { try scratch.write(name, Data("text".utf8)) } }

    /// What a run finds, and what it says is removed.
    private func index(_ places: [SourceURI], _ registered: [RegisteredSource]) async throws -> (
        IndexSummary, removed: [String]
    ) {
        let events = pipeline.progress()
        let summary = await pipeline.index(RunSource.covering(places, registered: registered))
        var removed: [String] = []
        for await event in events {
            if case .removed(let uri, _) = event { removed.append(String(uri.dropFirst(self.uri("").text.utf8.count))) }
            if case .finished = event { break }
        }
        return (try #require(summary.changes), removed.sorted())
    }

    /// All that the catalog knows, as paths below the scratch folder.
    private func known() throws -> [String] {
        var paths: [String] = []
        let start = uri("").text.utf8.count
        try catalog.eachItem { items in
            for item in items {
                guard let source = try? SourceURI(item.source) else { continue }
                paths.append(String(source.appending(item.path).dropFirst(start)))
            }
        }
        return paths.sorted()
    }

    @Test func `what is registered has its options, what lies inside comes along, nothing comes twice`() throws {
        let all = [registered("a/b", SourceOptions(hidden: true)), registered("c")]
        let sources = RunSource.covering([uri("a"), uri("c"), uri("a"), uri("d")], registered: all)
        #expect(sources.map(\.uri) == [uri("a"), uri("c"), uri("d"), uri("a/b")])
        #expect(sources.map(\.name) == [nil, "c", nil, "b"])
        #expect(sources[3].options(PrebuildOptions()).includesHidden)
        #expect(!sources[0].options(PrebuildOptions()).includesHidden)
        #expect(RunSource.covering([uri("a/b/c")], registered: all).map(\.name) == [nil])
    }

    @Test func `a source whose first look has not ended is neither new nor complete`() async throws {
        try write("a/1")
        let source = registered("a")
        #expect(try SourceStatus(of: uri("a"), among: [source], in: catalog).look == nil)
        // What a run begins with, and a process that is killed leaves.
        _ = try catalog.source(uri("a").text)
        let begun = try SourceStatus(of: uri("a"), among: [source], in: catalog).look
        #expect(begun?.state == .interrupted && begun?.checked == nil)
        _ = try await index([uri("a")], [source])
        #expect(try SourceStatus(of: uri("a"), among: [source], in: catalog).look?.state == .complete)
    }

    @Test(arguments: [false, true]) func `sources inside one another have options of their own`(inverse: Bool)
        async throws
    {
        try write("a/1", "a/.no", "a/b/2", "a/b/.yes", "a/b/c/.yes")
        let all = [registered("a"), registered("a/b", SourceOptions(hidden: true))]
        let places = inverse ? [uri("a/b"), uri("a")] : [uri("a"), uri("a/b")]
        let first = try await index(places, all)
        #expect(try known() == ["a/1", "a/b/.yes", "a/b/2", "a/b/c/.yes"])
        #expect(first.0.added == 4 && first.removed.isEmpty)
        #expect(try catalog.sources().map(\.uri) == [uri("a").text])
        for places in [places, places.reversed(), [uri("a")], [uri("a/b")]] {
            let again = try await index(places, all)
            #expect(again.0.isUnchanged && again.removed.isEmpty)
            #expect(again.0.unchangedFolders == again.0.folders)
        }
        for source in all {
            #expect(try catalog.look(at: source.uri)?.state == .complete)
        }
    }

    @Test func `a source is added inside of one that is known, and removed again`() async throws {
        try write("a/1", "a/x/2", "a/x/b/3", "a/x/b/.4")
        let (outer, inner) = (registered("a"), registered("a/x/b", SourceOptions(hidden: true)))
        _ = try await index([uri("a")], [outer])
        #expect(try known() == ["a/1", "a/x/2", "a/x/b/3"])
        let with = try await index([uri("a"), uri("a/x/b")], [outer, inner])
        #expect(try known() == ["a/1", "a/x/2", "a/x/b/.4", "a/x/b/3"])
        #expect(with.0.added == 1 && with.removed.isEmpty)
        // Another source holds it: nothing is forgotten at once.
        let forgotten = try await pipeline.forget(source: uri("a/x/b"), besides: [outer])
        #expect(forgotten.isCovered && forgotten.items == 0)
        #expect(try catalog.look(at: inner.uri) == nil)
        let without = try await index([uri("a")], [outer])
        #expect(try known() == ["a/1", "a/x/2", "a/x/b/3"])
        #expect(without.removed == ["a/x/b/.4"])
    }

    @Test func `a source inside of what is left out stays, until it is no source any more`() async throws {
        try write("a/1", "a/.x/2", "a/.x/b/3", "a/y/.nomedia", "a/y/c/4", "a/y/5")
        let (outer, all) = (registered("a"), [registered("a"), registered("a/.x/b"), registered("a/y/c")])
        for _ in 0..<3 {
            let run = try await index(all.map { try SourceURI($0.uri) }, all)
            #expect(run.removed.isEmpty)
            #expect(try known() == ["a/.x/b/3", "a/1", "a/y/c/4"])
            try write("a/new\(UUID().uuidString)")
            try FileManager.default.removeItem(atPath: scratch.path + "/a/1")
            try write("a/1")
            for name in try FileManager.default.contentsOfDirectory(atPath: scratch.path + "/a")
            where name.hasPrefix("new") {
                try FileManager.default.removeItem(atPath: "\(scratch.path)/a/\(name)")
            }
        }
        let alone = try await index([uri("a")], [outer])
        #expect(alone.removed == ["a/.x/b/3", "a/y/c/4"])
        #expect(try known() == ["a/1"])
    }

    @Test func `an inner source that is away keeps what is known of it`() async throws {
        try write("a/1", "a/x/2", "a/x/b/3")
        let all = [registered("a"), registered("a/x/b")]
        let places = [uri("a"), uri("a/x/b")]
        _ = try await index(places, all)
        let (here, away) = (scratch.path + "/a/x", scratch.path + "/away")
        try FileManager.default.moveItem(atPath: here, toPath: away)
        let run = try await index(places, all)
        #expect(run.removed == ["a/x/2"])
        #expect(try known() == ["a/1", "a/x/b/3"])
        #expect(try catalog.look(at: all[0].uri)?.state == .complete)
        #expect(try catalog.look(at: all[1].uri)?.state == .absent)
        try FileManager.default.moveItem(atPath: away, toPath: here)
        let back = try await index(places, all)
        #expect(back.removed.isEmpty)
        #expect(try known() == ["a/1", "a/x/2", "a/x/b/3"])
        #expect(try catalog.look(at: all[1].uri)?.state == .complete)
    }

    @Test func `a source that holds one that is away takes over what is known of it`() async throws {
        try write("a/1", "a/b/2")
        _ = try await index([uri("a/b")], [registered("a/b")])
        try FileManager.default.moveItem(atPath: scratch.path + "/a/b", toPath: scratch.path + "/away")
        let version = try catalog.version
        _ = try await index([uri("a"), uri("a/b")], [registered("a"), registered("a/b")])
        #expect(try known() == ["a/1", "a/b/2"])
        guard case .increment(let changes, _, _) = try catalog.changes(since: version) else {
            Issue.record("the catalog is another one")
            return
        }
        #expect(changes.map(\.kind) == [.added])
        #expect(try catalog.look(at: uri("a/b").text)?.state == .absent)
    }

    @Test func `a link to a folder is a source with URIs of its own`() async throws {
        try write("real/1", "a/2")
        try FileManager.default.createSymbolicLink(
            atPath: scratch.path + "/a/link", withDestinationPath: scratch.path + "/real")
        let all = [registered("a"), registered("a/link")]
        for removed in [[], ["a/3"]] {
            let run = try await index([uri("a"), uri("a/link")], all)
            #expect(run.removed == removed)
            #expect(try known() == ["a/2", "a/link/1"])
            try write("a/3")
            _ = try await index([uri("a")], all)
            try FileManager.default.removeItem(atPath: scratch.path + "/a/3")
        }
    }

    @Test func `a file that is named beside its folder is no less a part of the folder`() async throws {
        try write("a/1.txt", "a/2.txt")
        let first = await pipeline.prebuild([uri("a"), uri("a/1.txt")])
        #expect(first.total == .init(made: 2, time: first.total.time))
        #expect(try known() == ["a/1.txt", "a/2.txt"])
        let version = try catalog.version
        let second = await pipeline.prebuild([uri("a"), uri("a/1.txt")])
        #expect(second.total.valid == 2 && second.total.made == 0)
        #expect(try catalog.version == version)
        await pipeline.end()
    }

    @Test func `a root that cannot be listed is a source that failed`() async throws {
        try write("a/1")
        let broken = try SourceURI("file://\(scratch.path)/a/nowhere")
        let summary = await pipeline.index([RunSource(broken, name: "nowhere"), RunSource(uri("a"))])
        #expect(summary.failedSources.map(\.uri) == [broken.text])
        #expect(try catalog.look(at: broken.text)?.state == .absent)
        #expect(try known() == ["a/1"])
        // What was never a source leaves no trace.
        _ = await pipeline.index([try SourceURI("file://\(scratch.path)/typo")])
        #expect(try catalog.look(at: uri("typo").text) == nil)
    }

    @Test func `nothing is forgotten of what a run is at work on`() async throws {
        try write("a/b/1")
        _ = try await index([uri("a/b")], [])
        guard case .taken(let lock) = try RunLock.take(beside: catalog.path, source: uri("a/b").text) else {
            Issue.record("the lock is not free")
            return
        }
        await #expect(throws: PluginError.self) { try await pipeline.forget(source: uri("a"), besides: []) }
        #expect(try known() == ["a/b/1"])
        withExtendedLifetime(lock) {}
    }

    @Test func `logging out forgets all that the account served`() async throws {
        try write("a/1", "a/b/2", "c/3")
        for text in [uri("a/b").text, uri("a").text + "?region=x", uri("c").text] {
            _ = await pipeline.index([try SourceURI(text)])
        }
        #expect(try known() == ["a/1?region=x", "a/b/2", "a/b/2?region=x", "c/3"])
        let account = Account(name: "n", address: uri("a"), values: [:], secrets: [], place: .file)
        // Nothing goes, secrets included, while a run is at work on any of it.
        let busy = try #require(try catalog.sources().map(\.uri).first { $0.contains("?") })
        var ended = false
        if case .taken(let lock) = try RunLock.take(beside: catalog.path, source: busy) {
            let refusal = await #expect(throws: PluginError.self) {
                try await pipeline.logOut(account) { ended = true }
            }
            #expect(refusal?.code == .busy)
            withExtendedLifetime(lock) {}
        } else {
            Issue.record("the lock is not free")
        }
        await #expect(throws: PluginError.self) {
            try await pipeline.logOut(account) { () throws(PluginError) in throw PluginError(.unauthorized, "locked") }
        }
        #expect(try known().count == 4 && !ended)
        #expect(try await pipeline.logOut(account) { ended = true }.notices == [])
        #expect(try known() == ["c/3"] && ended)
    }

    @Test func `what is forgotten loses its previews of every size, and its failures, at once`() async throws {
        try scratch.hostile("a/1.hostile", "ok")
        try scratch.hostile("a/2.hostile", "crash")
        try scratch.hostile("a/b/3.hostile", "ok")
        try scratch.hostile("c/4.hostile", "ok")
        let inner = registered("a/b")
        let all = RunSource.covering([uri("a"), uri("c")], registered: [registered("a"), inner])
        let options = PrebuildOptions(sizes: [.large, try PreviewSize(pixels: 300)])
        #expect(await pipeline.prebuild(all, options).total.made == 3)
        #expect(pipeline.quarantine().count == 1)
        let events = pipeline.progress(of: .folder(uri("a").text))
        let kept = try await pipeline.forget(source: uri("c"), besides: [inner], keepsPreviews: true)
        #expect(kept.items == 1 && kept.previews == 0)
        let result = try await pipeline.forget(source: uri("a"), besides: [inner])
        #expect(result.items == 2 && result.previews == 2 && result.failures == 1 && result.notices.isEmpty)
        #expect(result.bytes > 0 && pipeline.quarantine().isEmpty)
        var removed: [String] = []
        for await event in events {
            if case .removed(let uri, _) = event { removed.append(uri) }
            if removed.count == 2 { break }
        }
        #expect(removed == ["a/1.hostile", "a/2.hostile"].map { uri($0).text })
        #expect(try known() == ["a/b/3.hostile"])
        let again = await pipeline.prebuild(all, options)
        #expect(again.total.made == 1 && again.total.valid == 2 && again.total.failed == 1)
        await pipeline.end()
    }
}

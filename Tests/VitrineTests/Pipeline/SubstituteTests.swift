import Foundation
import PluginHost
import Settings
import TestSupport
import Testing
import Timing
import VitrineKit

@testable import Vitrine

/// Renderers that cannot be started, and those that stand in for them.
@Suite struct SubstituteTests {
    private let scratch: TemporaryFolder

    init() throws { scratch = try TemporaryFolder() }

    @Test func `a renderer whose library is absent leaves its files to the next one, and its failures too`()
        async throws
    {
        let types = #""types": ["application/pdf"], "priority": 900"#
        try scratch.write(
            "plugins/absent/plugin.json",
            Data(
                """
                {"id": "absent", "version": "1", "abi": 1, "kind": "renderer", "library": "libAbsent.so", \(types)}
                """.utf8))
        try scratch.write("plugins/absent/libAbsent.so", Data("not ELF".utf8))
        let pipeline = try PreviewPipeline(PipelineTests.configuration(scratch, plugins: scratch.path + "/plugins"))
        let page = try Data(contentsOf: Products.fixtures.appending(path: "pdf/plain.pdf"))
        try scratch.write("items/a.pdf", page)
        try scratch.write("items/b.pdf", page + Data("%".utf8))
        try scratch.write("items/bad.pdf", Data("%PDF-1.4 nothing".utf8))
        let items = try SourceURI("file://" + PercentEncoding.encode((scratch.path + "/items").utf8))
        let run = await pipeline.prebuild([items])
        #expect(run.total.made == 2)
        #expect(run.failures.map(\.error.code) == [.corrupt])
        // It said what it lacks, as one whose library is not installed does: that is no fault.
        #expect(pipeline.brokenPlugins == [])
        // What the next one said is remembered as its own word.
        #expect(await pipeline.prebuild([items]).failures.map(\.remembered) == [true])
        await pipeline.end()
    }

    @Test func `of a renderer that crashes while it starts it is said once that others draw its files`() async throws {
        let fields = #""kind": "renderer", "library": "libHostileRenderer.so", "types": ["application/pdf"]"#
        try scratch.write(
            "plugins/broken/plugin.json",
            Data("{\"id\": \"broken\", \"version\": \"1\", \"abi\": 1, \"priority\": 900, \(fields)}".utf8))
        try FileManager.default.createSymbolicLink(
            atPath: scratch.path + "/plugins/broken/libHostileRenderer.so",
            withDestinationPath: Products.library("HostileRenderer"))
        try scratch.write("plugins/broken/crashes", Data())
        #expect(chmod(scratch.path, 0o755) == 0)
        let pipeline = try PreviewPipeline(PipelineTests.configuration(scratch, plugins: scratch.path + "/plugins"))
        let page = try Data(contentsOf: Products.fixtures.appending(path: "pdf/plain.pdf"))
        for name in ["a", "b", "c"] { try scratch.write("items/\(name).pdf", page) }
        let items = try SourceURI("file://" + PercentEncoding.encode((scratch.path + "/items").utf8))
        let events = pipeline.progress()
        #expect(await pipeline.prebuild([items]).total.made == 3)
        var notices: [String] = []
        for await event in events {
            if case .notice(let source, let text) = event {
                #expect(source == items.text)
                notices.append(text)
            }
            if case .finished = event { break }
        }
        let beginning =
            "plugin 'broken 1' is not used: its worker cannot be started: it ended while it started (signal 6"
        #expect(notices.count == 1 && notices.first?.hasPrefix(beginning) == true, "\(notices)")
        #expect(pipeline.brokenPlugins == notices)
        await pipeline.end()
    }

    @Test func `a copy takes over what a substitute drew where the first renderer refused the same content`()
        async throws
    {
        var configuration = PipelineTests.configuration(scratch)
        configuration.settings = try Settings(text: "[plugin pdfium]\ninput = 1MiB\n", file: "config")
        let page = try Data(contentsOf: Products.fixtures.appending(path: "pdf/plain.pdf"))
        let reports = try await reports(onTwoOf: page + Data(repeating: 0x20, count: 2 << 20), configuration)
        #expect(reports.map { $0.twin == nil }.sorted { !$0 && $1 } == [false, true], "one was drawn")
        // Also of the copy it is said who drew it.
        #expect(reports.map { $0.renderer?.id } == ["pdf", "pdf"])
    }

    @Test func `what a substitute drew only because another renderer was absent is taken over by nobody`() async throws
    {
        let fields = #""kind": "renderer", "library": "libAbsent.so", "types": ["application/pdf"], "priority": 900"#
        try scratch.write(
            "plugins/absent/plugin.json", Data("{\"id\": \"absent\", \"version\": \"1\", \"abi\": 1, \(fields)}".utf8))
        try scratch.write("plugins/absent/libAbsent.so", Data("not ELF".utf8))
        let page = try Data(contentsOf: Products.fixtures.appending(path: "pdf/plain.pdf"))
        let configuration = PipelineTests.configuration(scratch, plugins: scratch.path + "/plugins")
        let reports = try await reports(onTwoOf: page, configuration)
        #expect(reports.map(\.twin) == [nil, nil])
        #expect(reports.map { $0.renderer?.id } == ["pdfium", "pdfium"])
    }

    /// What happens to two files with the same content.
    private func reports(
        onTwoOf content: Data, _ configuration: PipelineConfiguration
    ) async throws -> [ItemReport] {
        var configuration = configuration
        configuration.catalog = scratch.path + "/cache/vitrine/catalog.sqlite"
        let pipeline = try PreviewPipeline(configuration)
        for name in ["a", "b"] { try scratch.write("items/\(name).pdf", content) }
        let events = pipeline.progress()
        let run = await pipeline.prebuild([
            try SourceURI("file://" + PercentEncoding.encode((scratch.path + "/items").utf8))
        ])
        #expect(run.total.made == 2)
        var reports: [ItemReport] = []
        for await event in events {
            if case .item(let report) = event { reports.append(report) }
            if case .finished = event { break }
        }
        await pipeline.end()
        return reports
    }

    @Test func `a substitute that draws no such files is not the one whose word counts`() async throws {
        let docx = "application/vnd.openxmlformats-officedocument.wordprocessingml.document"
        let fields =
            "\"kind\": \"renderer\", \"library\": \"libAbsent.so\", \"types\": [\"\(docx)\"], \"priority\": 900"
        let manifest = "{\"id\": \"absent\", \"version\": \"1\", \"abi\": 1, \(fields)}"
        try scratch.write("plugins/absent/plugin.json", Data(manifest.utf8))
        try scratch.write("plugins/absent/libAbsent.so", Data("not ELF".utf8))
        var configuration = PipelineTests.configuration(scratch, plugins: scratch.path + "/plugins")
        configuration.settings = try Settings(text: "[plugin office]\nenabled = false\n", file: "config")
        let pipeline = try PreviewPipeline(configuration)
        for name in ["a", "b"] {
            try scratch.write(
                "items/\(name).docx", try Data(contentsOf: Products.fixtures.appending(path: "office/vitrine.docx")))
        }
        let items = try SourceURI("file://" + PercentEncoding.encode((scratch.path + "/items").utf8))
        for _ in 1...2 {
            // Of the first file and of the next ones, and never remembered.
            let run = await pipeline.prebuild([items])
            #expect(run.failures.map(\.error.code) == [.pluginUnavailable, .pluginUnavailable], "\(run.failures)")
            #expect(run.remembered == 0)
        }
        await pipeline.end()
    }

    @Test func `who is asked first and draws no such files is not the one whose word counts, either`() async throws {
        let fields =
            #""kind": "renderer", "library": "libAbsent.so", "types": ["image/vnd.dwg"], "priority": 50"#
        let manifest = "{\"id\": \"absent\", \"version\": \"1\", \"abi\": 1, \(fields)}"
        try scratch.write("plugins/absent/plugin.json", Data(manifest.utf8))
        try scratch.write("plugins/absent/libAbsent.so", Data("not ELF".utf8))
        let pipeline = try PreviewPipeline(PipelineTests.configuration(scratch, plugins: scratch.path + "/plugins"))
        // Drawings without a preview.
        for name in ["a", "b"] {
            try scratch.write("items/\(name).dwg", Data("AC1015".utf8) + Data(repeating: 0, count: 64))
        }
        let items = try SourceURI("file://" + PercentEncoding.encode((scratch.path + "/items").utf8))
        for _ in 1...2 {
            let run = await pipeline.prebuild([items])
            #expect(run.failures.map(\.error.code) == [.pluginUnavailable, .pluginUnavailable], "\(run.failures)")
            #expect(run.remembered == 0)
        }
        await pipeline.end()
    }

    private let missing = PluginError(.pluginUnavailable, "its library is missing")

    /// Two renderers, of which nothing is started.
    private func renderers() throws -> [InstalledPlugin] {
        let library = Data("not ELF".utf8)
        for id in ["a", "b"] {
            let fields = #""version": "1", "abi": 1, "kind": "renderer", "library": "l.so", "types": ["x/y"]"#
            try scratch.write("plugins/\(id)/plugin.json", Data("{\"id\": \"\(id)\", \(fields)}".utf8))
            try scratch.write("plugins/\(id)/l.so", library)
        }
        let renderers = PluginDirectory(scanning: PluginSearchPath(folders: [scratch.path + "/plugins"])).renderers
        #expect(renderers.map(\.manifest.id) == ["a", "b"])
        return renderers
    }

    @Test func `a renderer whose workers are killed again and again is passed over, and its files are not judged`()
        throws
    {
        let renderers = try renderers()
        let killed = PluginError(.workerLost, "it ended while it started")
        let absent = AbsentRenderers(lossInterval: .zero)
        for _ in 0..<2 { absent.lost(renderers[0], killed) }
        absent.served(renderers[0])
        for _ in 0..<2 { absent.lost(renderers[0], killed) }
        #expect(absent.usable(renderers) == renderers)
        absent.lost(renderers[0], killed)
        #expect(absent.usable(renderers) == [renderers[1]])
        #expect(absent.usable([renderers[0]]) == [renderers[0]])
        #expect(absent.loss(before: renderers[1], of: renderers)?.0 == killed)
        #expect(absent.loss(before: renderers[0], of: renderers) == nil)
        // What cannot be started at all leaves its files to the others.
        absent.add(renderers[0], missing)
        #expect(absent.usable(renderers) == [renderers[1]])
        #expect(absent.loss(before: renderers[1], of: renderers) == nil)
        // Many who waited for one worker lost one.
        let patient = AbsentRenderers(lossInterval: .seconds(1000))
        for _ in 0..<10 { patient.lost(renderers[0], killed) }
        #expect(patient.usable(renderers) == renderers)
    }

    @Test func `a renderer that is absent is passed over for a while, unless it is the only one`() throws {
        let renderers = try renderers()
        let absent = AbsentRenderers()
        #expect(absent.usable(renderers) == renderers)
        let moment = Moment.now
        #expect(absent.absence(of: renderers[0], since: moment) == nil)
        absent.add(renderers[0], missing)
        // Who came before is told; who comes now tries it once more, if there is no other.
        #expect(absent.absence(of: renderers[0], since: moment) == missing)
        #expect(absent.absence(of: renderers[0], since: .now + .seconds(1)) == nil)
        #expect(absent.usable(renderers) == [renderers[1]])
        #expect(absent.absence(before: renderers[1], of: renderers)?.0 == missing)
        #expect(absent.absence(before: renderers[0], of: renderers) == nil)
        #expect(absent.usable([renderers[0]]) == [renderers[0]])
        absent.add(renderers[1], missing)
        #expect(absent.usable(renderers) == renderers)
        let forgetful = AbsentRenderers(patience: .zero)
        forgetful.add(renderers[0], missing)
        #expect(forgetful.usable(renderers) == renderers)
        #expect(forgetful.absence(before: renderers[1], of: renderers) == nil)
    }
}

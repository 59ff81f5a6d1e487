import Containment
import Foundation
import PluginHost
import PreviewCache
import Settings
import TestSupport
import Testing
import Vitrine

@testable import Doctor

/// The doctor with the real plugins of this build.
@Suite(.timeLimit(.minutes(10))) struct DoctorTests {
    let scratch: TemporaryFolder

    init() throws { scratch = try TemporaryFolder() }

    private func configuration(plugins: String? = nil, settings: String = "") throws -> PipelineConfiguration {
        var configuration = PipelineConfiguration(
            cache: CacheFolders(
                thumbnails: scratch.path + "/cache/thumbnails", previews: scratch.path + "/cache/previews"),
            plugins: PluginSearchPath(
                folders: [plugins ?? Products.checkout.appending(path: "Plugins").path],
                libraryFolders: [Products.folder.path]),
            workerProgram: Products.program("vitrine-worker"), jobs: 1)
        configuration.settings = try Settings(text: settings, file: "config")
        return configuration
    }

    private var doctor: Doctor { Doctor(environment: [:]) }

    @Test func `every renderer has a line for each layer, tried in a real worker`() async throws {
        let configuration = try configuration()
        let findings = await doctor.examine(configuration)
        let renderers = PluginDirectory(scanning: configuration.plugins).renderers.map(\.manifest.id)
        #expect(renderers.contains("pdf") && renderers.contains("hostile"))
        for renderer in renderers {
            let own = findings.filter { $0.area == .containment && $0.subject == renderer }
            #expect(own.compactMap(\.layer) == Containment.Layer.allCases, "\(renderer): \(own)")
            #expect(own.first?.layer == nil)
            #expect(!own.contains { $0.text.hasPrefix("broken") })
        }
        #expect(findings.contains { $0.area == .libraries && $0.subject == "poppler" })
        #expect(!findings.contains { $0.area == .plugins && $0.state != .ok })
        // No library that reads files came into this process on the way.
        let maps = try String(contentsOfFile: "/proc/self/maps", encoding: .utf8)
        for library in ["libavformat", "libMagick", "libsofficeapp"] { #expect(!maps.contains(library)) }
    }

    @Test func `a renderer whose library is no library is a problem, and so is one that is refused`() async throws {
        let manifest = """
            {"id": "ID", "version": "1", "abi": 1, "kind": "renderer", "library": "libNothing.so", "types": ["a/b"]}
            """
        try scratch.write("plugins/damaged/plugin.json", Data(manifest.replacing("ID", with: "damaged").utf8))
        try scratch.write("plugins/damaged/libNothing.so", Data("not ELF".utf8))
        try scratch.write("plugins/missing/plugin.json", Data(manifest.replacing("ID", with: "missing").utf8))
        try scratch.write("plugins/second/plugin.json", Data(manifest.replacing("ID", with: "damaged").utf8))
        try scratch.write("plugins/second/libNothing.so", Data("not ELF".utf8))
        let findings = await doctor.examine(try configuration(plugins: scratch.path + "/plugins"))
        let twins = findings.filter { $0.area == .plugins && $0.subject == "damaged" }
        #expect(twins.map(\.state) == [.ok, .warning])
        let damaged = try #require(findings.first { $0.area == .containment && $0.subject == "damaged" })
        #expect(damaged.state == .problem)
        #expect(damaged.advice != nil)
        #expect(findings.first { $0.area == .plugins && $0.subject == "missing" }?.state == .problem)
        #expect(findings.first { $0.subject == "every backend" }?.state == .problem)
    }

    @Test func `settings of a plugin that is not there are a warning`() async throws {
        let findings = await doctor.examine(try configuration(settings: "[plugin pfd]\nseconds = 3\n"))
        #expect(findings.first { $0.subject == "pfd" }?.state == .warning)
    }

    @Test func `settings that are not understood are a problem, and the rest is examined all the same`() async throws {
        try scratch.write("vitrine/config", Data("[plugin pdf]\nspeed = 3\n".utf8))
        let findings = await Doctor(environment: [
            "XDG_CONFIG_HOME": scratch.path, "XDG_CACHE_HOME": scratch.path + "/cache",
            "VITRINE_WORKER": Products.program("vitrine-worker"),
        ]).examine()
        let settings = try #require(findings.first)
        #expect(settings.area == .settings && settings.state == .problem)
        #expect(settings.text.contains("line 2"))
        #expect(findings.contains { $0.area == .clock })
        #expect(findings.contains { $0.area == .data && $0.subject == "file types" && $0.state == .ok })
    }

    @Test func `a system that hides the memory of workers is named`() async throws {
        #expect(ContainmentCheck.memory(isWatched: true).state == .ok)
        let hidden = ContainmentCheck.memory(isWatched: false)
        #expect(hidden.state == .warning && hidden.advice != nil)
        let findings = await doctor.examine(try configuration())
        #expect(findings.first { $0.subject == "memory watch" }?.state == .ok)
    }

    @Test func `levels and layers are told apart`() throws {
        func check(_ required: String?, _ absent: [Containment.Layer], broken: [Containment.Layer] = []) throws
            -> [Finding]
        {
            let settings = required.map { "[containment]\nrequired = \($0)\n" } ?? ""
            let report = ContainmentReport(
                Containment.Layer.allCases.map { layer in
                    LayerReport(
                        layer,
                        broken.contains(layer) ? .broken("why") : absent.contains(layer) ? .absent("why") : .active)
                })
            return try ContainmentCheck(configuration: configuration(settings: settings), renderers: [])
                .findings("pdf", report, .strictest)
        }
        #expect(try check("full", []).allSatisfy { $0.state == .ok && $0.advice == nil })
        let container = try check(nil, [.namespaces])
        #expect(container.first?.state == .warning)
        #expect(container.filter { $0.state != .ok }.compactMap(\.layer) == [.namespaces])
        #expect(container.first { $0.layer == .namespaces }?.advice != nil)
        // Debian 12 has Linux 6.1, whose Landlock knows files only.
        let older = try check("calls", [.tcp, .signals])
        #expect(older.first?.state == .ok)
        #expect(older.filter { $0.state == .note }.compactMap(\.layer) == [.tcp, .signals])
        #expect(!older.contains { $0.state == .warning })
        let weaker = try check(nil, [.tcp, .calls])
        #expect(weaker.filter { $0.state == .warning }.compactMap(\.layer) == [.tcp, .calls])
        #expect(try check("full", [.namespaces]).first?.state == .problem)
        #expect(try check(nil, [.files, .calls]).first?.state == .problem)
        #expect(try check(nil, [], broken: [.tcp]).first { $0.layer == .tcp }?.state == .problem)
    }
}

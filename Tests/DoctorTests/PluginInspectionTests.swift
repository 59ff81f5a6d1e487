import Foundation
import PluginHost
import PreviewCache
import TestSupport
import Testing
import Vitrine

@testable import Doctor

/// `vitrine plugins check` with real plugins of this build, and with manifests that have what people get wrong.
@Suite(.timeLimit(.minutes(10))) struct PluginInspectionTests {
    let scratch: TemporaryFolder

    init() throws { scratch = try TemporaryFolder() }

    private func inspect(_ folder: String, among plugins: String? = nil) async -> [Finding] {
        let configuration = PipelineConfiguration(
            cache: CacheFolders(thumbnails: scratch.path + "/thumbnails", previews: scratch.path + "/previews"),
            plugins: PluginSearchPath(
                folders: [plugins ?? Products.checkout.appending(path: "Plugins").path],
                libraryFolders: [Products.folder.path]),
            workerProgram: Products.program("vitrine-worker"), jobs: 1)
        return await PluginInspection(of: folder, environment: [:]).examine(configuration)
    }

    private func inspect(manifest: String) async throws -> [Finding] {
        try scratch.write("own/plugin.json", Data(manifest.utf8))
        return await inspect(scratch.path + "/own")
    }

    @Test(arguments: ["Renderers/Text", "Containers/Archive", "Backends/Local"])
    func `a plugin that is as it should be has neither problem nor warning`(folder: String) async {
        let findings = await inspect(Products.checkout.appending(path: "Plugins/" + folder).path)
        let manifest = findings.first { $0.text.hasPrefix("1.0.0, ") }
        #expect(manifest?.state == .ok, "\(findings)")
        #expect(!findings.contains { $0.state == .problem }, "\(findings)")
        // It was loaded, where it is loaded in use.
        #expect(
            findings.contains {
                $0.area == .containment && $0.text.hasPrefix("level ") || $0.subject == "library" && $0.state == .ok
            }, "\(findings)")
    }

    @Test func `slips, types that nobody recognises and plugins that come first are told`() async throws {
        // The text renderer's library, which draws what it is given.
        let findings = try await inspect(
            manifest: """
                {"id": "own", "version": "1", "abi": 1, "kind": "renderer", "library": "libTextRenderer.so",
                 "types": ["application/pdf", "image/x-own-sketch"], "limits": {"secnds": 3}}
                """)
        let slip = findings.first { $0.subject == "plugin.json" }
        #expect(slip?.state == .warning && slip?.text.contains("'limits.secnds'") == true, "\(findings)")
        #expect(slip?.advice?.contains("'seconds'") == true)
        let types = findings.first { $0.subject == "types" }
        #expect(types?.state == .warning && types?.text.contains("image/x-own-sketch") == true, "\(findings)")
        #expect(types?.text.contains("application/pdf") == false)
        let first = findings.first { $0.subject == "priority" }
        #expect(first?.state == .note && first?.text.hasPrefix("'pdfium'") == true, "\(findings)")
        #expect(findings.contains { $0.subject == "place" && $0.advice?.contains("VITRINE_PLUGIN_PATH") == true })
        #expect(findings.contains { $0.area == .containment && $0.subject == "own" })
    }

    @Test func `an id that is taken is told`() async throws {
        let findings = try await inspect(
            manifest: """
                {"id": "text", "version": "1", "abi": 1, "kind": "renderer", "library": "libTextRenderer.so",
                 "types": ["text/plain"]}
                """)
        #expect(findings.contains { $0.subject == "id" && $0.text.contains("Renderers/Text") }, "\(findings)")
    }

    @Test(arguments: [
        (#""kind": "renderer", "library": "libNothing.so", "types": ["a/b"]"#, "'libNothing.so' is neither there"),
        (#""kind": "backend", "library": "libTextRenderer.so", "schemes": ["own"]"#, "holds none"),
        (#""kind": "renderer", "library": "libLocalBackend.so", "types": ["text/plain"]"#, "neither draws"),
        (#""kind": "renderer", "library": "libVitrineKit.so", "types": ["text/plain"]"#, "is no plugin of Vitrine"),
        (#""kind": "renderer", "library": "libTextRenderer.so""#, "field 'types' is missing"),
    ])
    func `what cannot be loaded is a problem with a sentence`(fields: String, sentence: String) async throws {
        let findings = try await inspect(manifest: "{\"id\": \"own\", \"version\": \"1\", \"abi\": 1, \(fields)}")
        #expect(findings.contains { $0.state == .problem && $0.text.contains(sentence) }, "\(findings)")
    }

    @Test func `a folder without a plugin is a problem`() async {
        let findings = await inspect(scratch.path)
        #expect(findings.map(\.state) == [.problem] && findings.first?.text.contains("no plugin.json") == true)
    }
}

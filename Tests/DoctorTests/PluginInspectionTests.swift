import Foundation
import PluginHost
import PreviewCache
import Settings
import TestSupport
import Testing
import Vitrine

@testable import Doctor

/// `vitrine plugins check` with real plugins of this build, and with manifests that have what people get wrong.
@Suite(.timeLimit(.minutes(10))) struct PluginInspectionTests {
    let scratch: TemporaryFolder

    init() throws { scratch = try TemporaryFolder() }

    private func inspect(_ folder: String, settings: Settings = Settings()) async -> [Finding] {
        var configuration = PipelineConfiguration(
            cache: CacheFolders(thumbnails: scratch.path + "/thumbnails", previews: scratch.path + "/previews"),
            plugins: PluginSearchPath(
                folders: [Products.checkout.appending(path: "Plugins").path],
                libraryFolders: [Products.folder.path]),
            workerProgram: Products.program("vitrine-worker"), jobs: 1)
        configuration.settings = settings
        return await PluginInspection(of: folder, environment: [:]).examine(configuration)
    }

    private func inspect(
        manifest: String, in folder: String = "own", settings: Settings = Settings()
    ) async throws -> [Finding] {
        try scratch.write(folder + "/plugin.json", Data(manifest.utf8))
        return await inspect(scratch.path + "/" + folder, settings: settings)
    }

    @Test(arguments: ["Renderers/Text", "Renderers/Mail", "Containers/Archive", "Backends/Local"])
    func `a plugin that is as it should be has neither problem nor warning`(folder: String) async {
        let findings = await inspect(Products.checkout.appending(path: "Plugins/" + folder).path)
        let manifest = findings.first { $0.text.hasPrefix("1.0.0, ") }
        #expect(manifest?.state == .ok, "\(findings)")
        // How well workers are contained is the machine's business.
        #expect(
            !findings.contains { $0.state == .problem || $0.area == .plugins && $0.state == .warning }, "\(findings)")
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
                 "types": ["application/pdf", "image/x-own-sketch", "application/x-own+zip", "image/webp"],
                 "limits": {"secnds": 3}}
                """)
        let slip = findings.first { $0.subject == "plugin.json" }
        #expect(slip?.state == .warning && slip?.text.contains("'limits.secnds'") == true, "\(findings)")
        #expect(slip?.advice?.contains("'seconds'") == true)
        let types = findings.first { $0.subject == "types" }
        #expect(types?.state == .note && types?.text.contains("image/x-own-sketch") == true, "\(findings)")
        for told in ["application/pdf", "application/x-own+zip", "image/webp"] {
            #expect(types?.text.contains(told) == false)
        }
        let first = findings.first { $0.subject == "priority" }
        #expect(first?.state == .note && first?.text.hasPrefix("'pdfium'") == true, "\(findings)")
        #expect(
            findings.contains {
                $0.subject == "place" && $0.command?.hasPrefix("export VITRINE_PLUGIN_PATH='/") == true
            })
        #expect(findings.contains { $0.area == .containment && $0.subject == "own" })
    }

    @Test func `who is the first for a type comes before others of the same priority, and is told so`() async throws {
        func rivals(_ id: String, _ fields: String) async throws -> [String] {
            let findings = try await inspect(
                manifest: """
                    {"id": "\(id)", "version": "1", "abi": 1, "kind": "renderer", "library": "libTextRenderer.so",
                     "types": ["application/vnd.apple.pages"]\(fields)}
                    """, in: id)
            return findings.filter { $0.subject == "priority" }.map(\.text)
        }
        // 'package' is the first for it, and 'office' draws it, too.
        let after = try await rivals("aa", "")
        #expect(after.count == 1 && after.first?.hasPrefix("'package'") == true, "\(after)")
        #expect(
            try await rivals("zz", #", "firstFor": ["application/vnd.apple.pages"]"#).map { $0.prefix(9) } == [
                "'package'"
            ])
    }

    @Test func `fields that mean nothing for the kind are told`() async throws {
        let findings = try await inspect(
            manifest: """
                {"id": "own", "version": "1", "abi": 1, "kind": "renderer", "library": "libTextRenderer.so",
                 "types": ["text/x-own"], "schemes": ["own"]}
                """)
        let idle = findings.filter { $0.subject == "plugin.json" }
        #expect(idle.map(\.text) == ["'schemes' means nothing for a renderer"], "\(findings)")
        #expect(idle.first?.state == .warning)
    }

    @Test func `a field that is there twice is told`() async throws {
        let findings = try await inspect(
            manifest: """
                {"id": "own", "version": "1", "abi": 1, "kind": "renderer", "library": "libTextRenderer.so",
                 "types": ["image/x-own-sketch"],
                 "version": "2"
                }
                """)
        let slips = findings.filter { $0.subject == "plugin.json" }
        #expect(slips.map(\.state) == [.warning], "\(findings)")
        #expect(slips.last?.text.hasPrefix("'version' is there twice, the second time in line 3") == true)
    }

    private func text(_ id: String) -> String {
        #"{"id": "\#(id)", "version": "1", "abi": 1, "kind": "renderer", "library": "libTextRenderer.so", "#
            + #""types": ["text/plain"]}"#
    }

    @Test func `an id that is taken is told, unless that plugin is not used`() async throws {
        let findings = try await inspect(manifest: text("text"))
        let id = findings.first { $0.subject == "id" }
        #expect(id?.text.contains("Renderers/Text' has the id 'text', too, and is used") == true, "\(findings)")
        let own = await inspect(Products.checkout.appending(path: "Plugins/Renderers/Text").path)
        #expect(!own.contains { ["id", "place"].contains($0.subject) }, "\(own)")
    }

    @Test func `a plugin that is switched off is told, with where`() async throws {
        var (settings, off) = (Settings(), PluginSettings())
        let isTaken = off.set(.enabled, to: "false")
        #expect(isTaken)
        settings.plugins["own"] = off
        let findings = try await inspect(manifest: text("own"), settings: settings)
        #expect(findings.map(\.state) == [.warning], "\(findings)")
        #expect(findings.first?.advice?.contains("[plugin own]") == true)
    }

    @Test func `the command that tries it is one that the shell takes`() async throws {
        let quoted = try await inspect(manifest: text("own"), in: "it's own")
        #expect(quoted.first { $0.subject == "place" }?.command?.hasSuffix(#"/it'\''s own'"#) == true, "\(quoted)")
        let colon = try await inspect(manifest: text("own"), in: "a:b")
        #expect(colon.first { $0.subject == "place" }?.advice?.contains("move it") == true, "\(colon)")
    }

    @Test func `of several plugins each finding names its own`() async throws {
        try scratch.write("both/a/plugin.json", Data(text("first").utf8))
        try scratch.write("both/b/plugin.json", Data(text("second").utf8))
        let findings = await inspect(scratch.path + "/both")
        #expect(findings.contains { $0.subject == "first: place" }, "\(findings)")
        #expect(findings.contains { $0.subject == "second: place" })
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

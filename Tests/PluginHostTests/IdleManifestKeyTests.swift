import Testing
import VitrineKit

@testable import PluginHost

@Suite("Fields of a manifest that mean nothing for its kind are found")
struct IdleManifestKeyTests {
    /// A manifest that has every field.
    private func idle(_ kind: String, hasFolder: Bool = false) throws -> [String] {
        let json = """
            {
              "id": "a", "name": "A", "version": "1", "abi": 1, "kind": "\(kind)", "library": "libA.so",
              "types": ["a/b"], "schemes": ["a"], "magic": [{"type": "a/b", "offset": 0, "bytes": "00"}], "priority": 1,
              "firstFor": [], "skipsEmpty": true, "doubtsBlank": false, "template": "t",
              "oauth": {"device": "https://a.example/", "token": "https://a.example/"},
              "limits": {"seconds": 3, "megapixels": 3, "pages": 3, "privateFolderMiB": 16, "workers": 1},
              "containment": {"privateFolder": \(hasFolder)}
            }
            """
        let manifest = try PluginManifest(json: Array(json.utf8), file: "plugin.json")
        return manifest.idleKeys(json: Array(json.utf8)).map { "\($0.path) \($0.clause)" }
    }

    @Test func ofRenderers() throws {
        #expect(
            try idle("renderer") == [
                "schemes means nothing for a renderer", "oauth means nothing for a renderer",
                "limits.privateFolderMiB means nothing without 'privateFolder' in 'containment'",
            ])
        #expect(try idle("renderer", hasFolder: true).count == 2)
    }

    @Test func ofBackends() throws {
        let found = try idle("backend")
        #expect(found.allSatisfy { $0.hasSuffix(" means nothing for a backend") }, "\(found)")
        #expect(
            Set(found.map { String($0.prefix { $0 != " " }) }) == [
                "types", "magic", "firstFor", "skipsEmpty", "doubtsBlank", "template", "containment",
                "limits.megapixels",
                "limits.pages", "limits.privateFolderMiB", "limits.workers",
            ], "\(found)")
    }

    @Test func ofReadersOfContainers() throws {
        #expect(
            try Set(idle("container", hasFolder: true).map { String($0.prefix { $0 != " " }) }) == [
                "schemes", "oauth", "firstFor", "skipsEmpty", "doubtsBlank", "template", "limits.megapixels",
                "limits.pages",
            ])
    }

    @Test func thoseOfAFolderAreRead() throws {
        let folder = try TemporaryFolder()
        try folder.plugin("a", extra: ", \"oauth\": {}")
        let manifest = try #require(try PluginManifest.read(folder.path + "/a/plugin.json"))
        #expect(try manifest.idleKeys(in: folder.path + "/a").map(\.path) == ["oauth"])
        #expect(throws: PluginError.self) { try manifest.idleKeys(in: folder.path) }
    }
}

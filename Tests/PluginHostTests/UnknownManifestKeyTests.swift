import Testing
import VitrineKit

@testable import PluginHost

@Suite("Keys of a manifest that say nothing are found, wherever they stand")
struct UnknownManifestKeyTests {
    @Test func slipsAreNamedWithTheirPlace() {
        let json = """
            {
              "id": "a", "name": "A", "version": "1", "abi": 1, "kind": "renderer", "library": "libA.so",
              "types": ["a/b"], "schemes": [], "priority": 1, "skipsEmpty": true, "doubtsBlank": false, "template": "t",
              "tipes": ["a/c"], "oauth": {"token": "", "scope": []},
              "magic": [{"type": "a/b", "offset": 0, "bytes": "00", "within": 1, "and": [{"ofset": 1, "bytes": "01"}]}],
              "limits": {"seconds": 3, "secnds": 3, "workers": 1}, "containment": {"thread": true, "calls": ["times"]}
            }
            """
        let found = PluginManifest.unknownKeys(json: Array(json.utf8))
        #expect(
            found.map(\.path) == [
                "containment.thread", "limits.secnds", "magic[0].and[0].ofset", "oauth.scope", "tipes",
            ])
        #expect(found.first { $0.name == "thread" }?.fields.contains("threads") == true)
    }

    @Test(arguments: ["", "[]", "{", "\"id\"", "null", "{\"limits\": 3, \"magic\": {\"type\": 1}}"])
    func whatIsNoManifestHasNone(json: String) {
        #expect(PluginManifest.unknownKeys(json: Array(json.utf8)).isEmpty)
    }

    @Test func namesThatAreNotForTerminalsAreMadeReadable() {
        let found = PluginManifest.unknownKeys(json: Array("{\"\\u001b[31m\": 1}".utf8))
        #expect(found.map(\.path) == [#"\u{1B}[31m"#])
    }

    @Test func thoseOfAFolderAreRead() throws {
        let folder = try TemporaryFolder()
        try folder.plugin("a", extra: ", \"limitz\": {}")
        #expect(try PluginManifest.unknownKeys(in: folder.path + "/a").map(\.path) == ["limitz"])
        #expect(throws: PluginError.self) { try PluginManifest.unknownKeys(in: folder.path) }
    }
}

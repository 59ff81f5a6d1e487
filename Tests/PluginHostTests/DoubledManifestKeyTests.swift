import Testing

@testable import PluginHost

@Suite("A field of a manifest that is there twice is found, wherever it stands")
struct DoubledManifestKeyTests {
    @Test(arguments: [
        (#"{"a": 1, "b": [1, 2], "c": {"a": 1}}"#, []),
        (#"{"a": ",]", "b": "\\"}"#, []),
        ("{\"a\": {\"b\": [{\"c\": 1,\n\"c\": 2}]}}", [DoubledManifestKey(path: "a.b[0].c", line: 2)]),
        (
            #"{"magic": [{"type": "a"}, {"type": "a", "typ\u0065": "b"}]}"#,
            [DoubledManifestKey(path: "magic[1].type", line: 1)]
        ),
        (#"{"a": "a", "": 1, "": 2}"#, [DoubledManifestKey(path: "", line: 1)]),
        // What is no JSON was refused before, and ends here as well.
        (#"]}{"a"#, []), (#""\"#, []), ("", []),
    ])
    func doubled(json: String, expected: [DoubledManifestKey]) {
        #expect(PluginManifest.doubledKeys(json: Array(json.utf8)) == expected)
    }
}

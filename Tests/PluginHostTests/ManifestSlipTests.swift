import Testing

@testable import PluginHost

@Suite("What the decoder of manifests passes over is found, wherever it stands")
struct ManifestSlipTests {
    @Test(arguments: [
        (#"{"a": 1, "b": [1, 2], "c": {"a": 1}}"#, []),
        (#"{"a": ",]", "b": "\\",}"#, [ManifestSlip.idleComma(line: 1)]),
        ("[1,\n2,\n]", [.idleComma(line: 3)]),
        ("{\"a\": {\"b\": [{\"c\": 1,\n\"c\": 2}]}}", [.doubledField(path: "a.b[0].c", line: 2)]),
        (
            #"{"magic": [{"type": "a"}, {"type": "a", "typ\u0065": "b"}]}"#,
            [.doubledField(path: "magic[1].type", line: 1)]
        ),
        (#"{"a": "a", "": 1, "": 2}"#, [.doubledField(path: "", line: 1)]),
        // What is no JSON is the decoder's business, and ends here as well.
        (#"]}{"a"#, []), (#""\"#, []), ("", []),
    ])
    func slips(json: String, expected: [ManifestSlip]) {
        #expect(PluginManifest.slips(json: Array(json.utf8)) == expected)
    }
}

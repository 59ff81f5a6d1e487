import Containment
import Testing
import VitrineKit

@testable import PluginHost

@Suite("A manifest is read strictly")
struct PluginManifestTests {
    private static let fields = [
        "id": "\"pdf\"", "version": "\"1.0.0\"", "abi": "1", "kind": "\"renderer\"", "library": "\"libPDF.so\"",
        "types": "[\"application/PDF\"]",
    ]

    private static func json(_ changes: [String: String?] = [:]) -> String {
        let all = fields.merging(changes.compactMapValues { $0 }) { $1 }.filter {
            changes[$0.key].map { $0 != nil } ?? true
        }
        return "{" + all.map { "\"\($0.key)\": \($0.value)" }.joined(separator: ",") + "}"
    }

    private func parse(_ json: String) throws(PluginError) -> PluginManifest {
        try PluginManifest(json: Array(json.utf8), file: "/p/plugin.json")
    }

    @Test func fillsInDefaults() throws {
        let manifest = try parse(Self.json())
        #expect(manifest.id == "pdf" && manifest.name == "pdf" && manifest.version == "1.0.0" && manifest.abi == 1)
        #expect(manifest.kind == .renderer && manifest.library == "libPDF.so" && manifest.priority == 100)
        #expect(manifest.types == ["application/pdf"] && manifest.schemes == [] && manifest.magic == [])
        #expect(manifest.limits == PluginLimits() && manifest.containment == .strictest)
        // Remembered failures carry it: another text for the same limits makes all of them be tried again.
        #expect(manifest.limits.fingerprint == "10.0s,2048,1024,2048,256,2048,10000,512")
        let limits = manifest.limits
        #expect(limits.seconds == 10 && limits.addressSpaceMiB == 2048 && limits.inputMiB == 2048)
        #expect(limits.megapixels == 256 && limits.documentsPerWorker == 500 && limits.workers == 0)
    }

    @Test func aMarkOfTheEncodingInFrontIsPassedOver() throws {
        let json = [0xEF, 0xBB, 0xBF] + Array(Self.json(["idle": "1", "abi": "1.0e0"]).utf8)
        #expect(try PluginManifest(json: json, file: "/p/plugin.json").id == "pdf")
        #expect(PluginManifest.unknownKeys(json: json).map(\.path) == ["idle"])
    }

    @Test func onlyRenderersAreFirstForTypes() throws {
        let fields = ["types": "[\"application/zip\"]", "firstFor": "[\"application/ZIP\"]"]
        #expect(try parse(Self.json(fields)).firstFor == ["application/zip"])
        #expect(try parse(Self.json(fields.merging(["kind": "\"container\""]) { $1 })).firstFor == [])
    }

    @Test func readersOfContainersHaveTypesAsRenderersDo() throws {
        let manifest = try parse(Self.json(["kind": "\"container\"", "types": "[\"application/zip\"]"]))
        #expect(manifest.kind == .container && manifest.types == ["application/zip"] && manifest.schemes == [])
        #expect(manifest.limits == PluginLimits())
        #expect(throws: PluginError.self) { try parse(Self.json(["kind": "\"container\"", "types": nil])) }
    }

    private func backend(_ oauth: String) throws(PluginError) -> PluginManifest {
        try parse(
            Self.json(["kind": "\"backend\"", "types": nil, "schemes": "[\"drive\"]", "oauth": oauth]))
    }

    @Test func backendsSayWhereTheirServiceLogsPeopleIn() throws {
        let some = try backend(#"{"token": "https://a.example/t", "authorization": "https://a.example/a"}"#).oauth
        let oauth = try #require(some)
        #expect(oauth.token == "https://a.example/t" && oauth.authorization == "https://a.example/a")
        #expect(oauth.device == nil && oauth.revocation == nil && oauth.scopes == [] && oauth.clientID == nil)
        #expect(!oauth.needsSecret && oauth.redirectPort == 0)
        let all = try backend(
            """
            {"token": "https://a/t", "device": "https://a/d", "revocation": "https://a/r", "scopes": ["x", "y:z"],
             "clientID": "me", "needsSecret": true, "redirectPort": 48125, "later": []}
            """
        ).oauth
        #expect(all?.device == "https://a/d" && all?.scopes == ["x", "y:z"] && all?.clientID == "me")
        #expect(all?.needsSecret == true && all?.redirectPort == 48_125)
        // Nobody is logged in by what draws.
        #expect(try parse(Self.json(["oauth": "7"])).oauth == nil)
    }

    @Test func backendsNameTheSettingsThatTheyRead() throws {
        func settings(_ text: String?, kind: String = "backend") throws(PluginError) -> [String]? {
            try parse(Self.json(["kind": "\"\(kind)\"", "schemes": "[\"drive\"]", "settings": text])).settings
        }
        #expect(try settings(nil) == nil && settings("[]") == [])
        #expect(try settings(#"["user", "ca-file"]"#) == ["user", "ca-file"])
        #expect(try settings("7", kind: "renderer") == nil)
        let many = "[" + (0..<65).map { "\"k\($0)\"" }.joined(separator: ",") + "]"
        for text in [
            "7", "[7]", #"["User"]"#, #"[""]"#, #"["a b"]"#, "[\"\(String(repeating: "a", count: 65))\"]", many,
        ] {
            #expect {
                _ = try settings(text)
            } throws: { error in
                (error as? PluginError)?.code == .invalidArgument && "\(error)".contains("settings")
            }
        }
    }

    @Test(arguments: [
        "7", "{}", #"{"token": "https://a/t"}"#, #"{"device": "https://a/d"}"#,
        #"{"token": "http://a/t", "device": "https://a/d"}"#, #"{"token": "https:///t", "device": "https://a/d"}"#,
        #"{"token": "https://u:p@a/t", "device": "https://a/d"}"#,
        #"{"token": "https://a/t#x", "device": "https://a/d"}"#,
        #"{"token": "https://a/t", "device": "file:///d"}"#, #"{"token": "https://a/t", "device": 7}"#,
        #"{"token": "https://a/t", "device": "https://a/d", "redirectPort": 65536}"#,
        #"{"token": "https://a/t", "device": "https://a/d", "scopes": ["a b"]}"#,
        #"{"token": "https://a/t", "device": "https://a/d", "scopes": "a"}"#,
        #"{"token": "https://a/t", "device": "https://a/d", "clientID": ""}"#,
    ])
    func placesToLogInAtAreChecked(oauth: String) {
        #expect { try backend(oauth) } throws: {
            guard let error = $0 as? PluginError else { return false }
            return error.code == .invalidArgument && error.message.contains("oauth")
        }
    }

    @Test func readsEveryField() throws {
        let manifest = try parse(
            Self.json([
                "name": "\"PDF documents\"", "priority": "-3", "skipsEmpty": "true", "doubtsBlank": "true",
                "template": "\"pages\"", "firstFor": "[\"application/PDF\"]",
                "from the future": "{\"a\": [1]}",
                "library": "\"lib/libPDF.so\"",
                "magic": """
                [{"type": "application/PDF", "offset": 1, "bytes": "255044462D", "within": 1024,
                  "and": [{"offset": 0, "bytes": "0a"}]}]
                """,
                "limits": "{\"seconds\": 2.5, \"workers\": 2, \"later\": true}",
                "containment": "{\"threads\": true, \"read\": [\"/usr/share/fonts\"]}",
            ]))
        #expect(manifest.skipsEmpty && manifest.doubtsBlank && manifest.template == "pages")
        #expect(manifest.firstFor == ["application/pdf"])
        #expect(manifest.name == "PDF documents" && manifest.priority == -3 && manifest.library == "lib/libPDF.so")
        let magic = try #require(manifest.magic.first)
        #expect(magic.type == "application/pdf" && magic.part.offset == 1 && magic.part.bytes == Array("%PDF-".utf8))
        #expect(magic.within == 1024 && magic.and.map(\.bytes) == [[10]] && magic.specificity == 6)
        #expect(manifest.limits.seconds == 2.5 && manifest.limits.workers == 2 && manifest.limits.inputMiB == 2048)
        #expect(try manifest.containment == ContainmentProfile(threads: true, read: ["/usr/share/fonts"]))
    }

    @Test func readsBackends() throws {
        let manifest = try parse(
            Self.json(["kind": "\"backend\"", "types": nil as String?, "schemes": "[\"File\", \"x+y\", \"file\"]"]))
        #expect(manifest.kind == .backend && manifest.schemes == ["file", "x+y"] && manifest.types == [])
        #expect(manifest.limits.seconds == 60)
        let impatient = Self.json([
            "kind": "\"backend\"", "types": nil as String?, "schemes": "[\"file\"]", "limits": "{\"seconds\": 5}",
        ])
        #expect(try parse(impatient).limits.seconds == 5)
    }

    @Test(
        arguments: [
            ("id", nil, "field 'id' is missing"), ("version", nil, "field 'version' is missing"),
            ("abi", nil, "field 'abi' is missing"), ("kind", nil, "field 'kind' is missing"),
            ("library", nil, "field 'library' is missing"), ("types", nil, "field 'types' is missing"),
            ("id", "\"PDF\"", "'PDF' is no id"), ("id", "\"../x\"", "is no id"), ("id", "\"\"", "is no id"),
            ("id", "\".x\"", "is no id"), ("id", "7", "field 'id': text is wanted"),
            ("id", "null", "field 'id': null was found, text is wanted"),
            ("name", "\"a\\nb\"", "field 'name': 1 to 200 bytes"), ("name", "\"\"", "field 'name'"),
            ("version", "\"1 0\"", "field 'version': '1 0' is no version"), ("version", "1", "text is wanted"),
            ("abi", "1.5", "field 'abi': 1.5 is no whole number"), ("abi", "\"1\"", "a number is wanted"),
            ("abi", "1e99", "field 'abi'"), ("abi", "0x1", "JSON in line 1"), ("abi", "01", "JSON in line 1"),
            ("abi", "+1", "JSON in line 1"), ("abi", "1.", "JSON in line 1"), ("name", "\"o\\wn\"", "JSON in line 1"),
            ("name", "\"o\nwn\"", "JSON in line 1"),
            ("abi", "1e400", "JSON"),
            ("abi", "18446744073709551617", "'abi'"),
            ("kind", "\"archive\"", "field 'kind': 'archive' is not known"),
            ("library", "\"/usr/lib/x.so\"", "'/usr/lib/x.so' is an absolute path"),
            ("library", "\"a/../../x.so\"", "leads out of the plugin's folder"), ("library", "\"\"", "field 'library'"),
            ("library", "\"..\"", "leads out of the plugin's folder"), ("library", "\"a/./x.so\"", "field 'library'"),
            ("library", "\"lib\\nx.so\"", "field 'library'"), ("library", "\"lib\\u001b[2Jx.so\"", "field 'library'"),
            ("library", "\"" + String(repeating: "a/", count: 5000) + "x.so\"", "field 'library'"),
            ("library", "\"a//x.so\"", "empty"), ("library", "\"a\\u0000.so\"", "a NUL byte"),
            ("types", "[]", "field 'types': it is empty"),
            (
                "types", "[" + String(repeating: "\"a/b\",", count: 600) + "\"a/b\"]",
                "it has 601 elements; 512 are allowed"
            ),
            ("types", "\"image/png\"", "field 'types': a list is wanted"),
            ("types", "[\"png\"]", "'png' is no MIME type"),
            ("types", "[\"a/b\", 3]", "field 'types[1]': text is wanted"),
            ("types", "[\"image/*\"]", "is no MIME type"), ("types", "[\"a/b;c=d\"]", "is no MIME type"),
            ("magic", "{}", "field 'magic': a list is wanted"), ("magic", "[{}]", "field 'magic[0].type' is missing"),
            ("magic", "[{\"type\": \"application/pdf\"}]", "field 'magic[0].offset' is missing"),
            (
                "magic", "[{\"type\": \"application/pdf\", \"xml\": \"a b\"}]",
                "field 'magic[0].xml': the name of an element"
            ),
            (
                "magic", "[{\"type\": \"application/pdf\", \"xml\": \"a:b\"}]",
                "field 'magic[0].xml': the name of an element"
            ), ("magic", "[{\"type\": \"application/pdf\", \"json\": {}}]", "field 'magic[0].json': 1 to 8 members"),
            (
                "magic", "[{\"type\": \"application/pdf\", \"xml\": \"a\", \"namespace\": \"a b\"}]",
                "field 'magic[0].namespace': the address of a namespace"
            ),
            (
                "magic", "[{\"type\": \"application/pdf\", \"xml\": \"a\", \"bytes\": \"00\"}]",
                "field 'magic[0].bytes': a pattern looks for bytes, for XML or for JSON"
            ),
            (
                "magic", "[{\"type\": \"application/pdf\", \"offset\": -1, \"bytes\": \"00\"}]",
                "field 'magic[0].offset': -1 is out of range"
            ),
            (
                "magic", "[{\"type\": \"application/pdf\", \"offset\": 4096, \"bytes\": \"00\"}]",
                "4096 is out of range"
            ),
            (
                "magic", "[{\"type\": \"application/pdf\", \"offset\": 0, \"bytes\": \"0\"}]",
                "field 'magic[0].bytes': 1 to 64 bytes"
            ),
            ("magic", "[{\"type\": \"application/pdf\", \"offset\": 0, \"bytes\": \"zz\"}]", "hexadecimal"),
            ("magic", "[{\"type\": \"application/pdf\", \"offset\": 0, \"bytes\": \"\"}]", "1 to 64 bytes"),
            (
                "magic", "[{\"type\": \"application/pdf\", \"offset\": 0, \"bytes\": \"00\", \"within\": 9999}]",
                "field 'magic[0].within': 9999 is out of range"
            ),
            (
                "magic",
                "[{\"type\": \"application/pdf\", \"offset\": 0, \"bytes\": \"00\", \"within\": 9223372036854775807}]",
                "is out of range"
            ),
            (
                "magic",
                "[{\"type\": \"application/pdf\", \"offset\": 0, \"bytes\": \"00\", \"and\": [{\"offset\": 1}]}]",
                "field 'magic[0].and[0].bytes' is missing"
            ),
            ("magic", "[{\"type\": \"image/png\", \"offset\": 0, \"bytes\": \"00\"}]", "is not among the types"),
            ("skipsEmpty", "1", "field 'skipsEmpty'"),
            ("firstFor", "[\"a/b\"]", "'a/b' is not among the types"),
            ("doubtsBlank", "1", "field 'doubtsBlank'"),
            ("template", "\"a b\"", "field 'template': 'a b' is no name"),
            ("template", "1", "field 'template'"),
            ("priority", "1001", "field 'priority': 1001 is out of range"),
            ("priority", "true", "field 'priority': a number is wanted"),
            ("limits", "[]", "field 'limits': an object is wanted"),
            ("limits", "{\"seconds\": 0}", "field 'limits.seconds': 0.0 is out of range; it may be 0.1 to 3600"),
            ("limits", "{\"seconds\": \"10\"}", "field 'limits.seconds': a number is wanted"),
            ("limits", "{\"addressSpaceMiB\": 1}", "field 'limits.addressSpaceMiB': 1 is out of range"),
            ("limits", "{\"inputMiB\": 99999999999999999999}", "field 'limits.inputMiB'"),
            ("limits", "{\"megapixels\": 5000}", "field 'limits.megapixels'"),
            ("limits", "{\"documentsPerWorker\": 0}", "field 'limits.documentsPerWorker'"),
            ("limits", "{\"workers\": -1}", "field 'limits.workers'"),
            ("containment", "{\"calls\": [\"ptrace\"]}", "field 'containment': "),
            ("containment", "{\"read\": [\"relative\"]}", "field 'containment': "),
            ("containment", "{\"threads\": 1}", "field 'containment.threads': true or false is wanted"),
        ] as [(String, String?, String)])
    func refuses(field: String, value: String?, expected: String) throws {
        let error = try #require(throws: PluginError.self) { try parse(Self.json([field: value])) }
        #expect(error.code == .invalidArgument)
        #expect(error.message.hasPrefix("the manifest '/p/plugin.json' is refused: "), "\(error.message)")
        #expect(error.message.contains(expected), "\(error.message)")
    }

    @Test(
        arguments: [
            ("", "it is not valid JSON"), ("[]", "not a JSON object"), ("{", "it is not valid JSON"),
            ("{\"id\": \"x\"} trailing", "it is not valid JSON in line 1"),
            ("{\"id\":\n\"x\",\n}", "it is not valid JSON in line 3"),
            ("{\"id\":\"x\"\n\n", "it is not valid JSON in line 1"),
            ("{\"id\":\n\"x,\n\"name\": 1}", "it is not valid JSON in line 2"),
            (" \n", "it is not valid JSON in line 1"), ("{\"a\u{0}\": 1}", "NUL"), ("nothing", "JSON"),
            (String(repeating: "[", count: 30_000), "JSON"),
            ("{\"abi\": 1, \"x\": " + String(repeating: "{\"a\":", count: 10_000) + "1", "JSON"),
            (String(repeating: " ", count: 65_537), "it has 65537 bytes; at most 65536 are read"),
        ])
    func refusesDamage(json: String, expected: String) throws {
        let error = try #require(throws: PluginError.self) { try parse(json) }
        #expect(error.code == .invalidArgument)
        #expect(error.message.contains("/p/plugin.json") && error.message.contains(expected), "\(error.message)")
    }

    @Test func refusesOtherEncodings() throws {
        for bytes in [[0xFF, 0xFE, 0x7B, 0x00, 0x7D, 0x00], [0x7B, 0x22, 0xC3, 0x28, 0x22, 0x3A, 0x31, 0x7D]]
            as [[UInt8]]
        {
            let error = try #require(throws: PluginError.self) {
                try PluginManifest(json: bytes, file: "/p/plugin.json")
            }
            #expect(error.code == .invalidArgument)
        }
    }

    @Test func refusesOtherABIBeforeAnythingElse() throws {
        let error = try #require(throws: PluginError.self) { try parse("{\"abi\": 9, \"kind\": \"hologram\"}") }
        #expect(error.code == .pluginUnavailable)
        #expect(
            error.message.contains("made for plugin ABI 9, and this version of Vitrine has ABI 1"), "\(error.message)")
    }
}

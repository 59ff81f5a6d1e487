import Foundation
import PluginHost
import TestSupport
import Testing
import VitrineKit

/// Animations of Lottie are told from other JSON by the names of their members.
@Suite struct LottieTypeTests {
    private func type(_ text: String, _ name: String) throws -> String { try type(Array(text.utf8), name) }

    private func type(_ head: [UInt8], _ name: String) throws -> String {
        let file = Products.checkout.appending(path: "Plugins/Renderers/Lottie/plugin.json")
        let magic = try PluginManifest(json: Array(Data(contentsOf: file)), file: file.path).magic
        return TypeSniffer(magic: magic).type(head: head, name: Array(name.utf8), size: Int64(head.count)).mimeType
    }

    @Test(
        "The content is believed, whatever the name",
        arguments: [
            #"{"v":"5.5.7","fr":60,"ip":0,"op":180,"w":512,"h":512,"layers":[]}"#,
            #"{"tgs":1,"v":"5.5.2","fr":60,"ip":0,"op":180}"#, "{ \"op\": 9, \"fr\": 1.5,\n \"v\": null, \"ip\": [1",
            #"{"nm":"a","ddd":0,"h":500,"w":500,"meta":{"g":"b"},"layers":[{"ty":4"#,
        ])
    func content(text: String) throws {
        for name in ["", "a.json", "a.txt", "a.bin"] { #expect(try type(text, name) == "video/lottie+json", "\(name)") }
    }

    @Test(
        "Other JSON stays what it is",
        arguments: [
            #"{"v":"5.5.7","fr":60,"ip":0}"#, #"{"a":{"v":"5.5.7","fr":60,"ip":0,"op":180}}"#,
            #"["v","fr","ip","op"]"#, #"{"version":8,"layers":[{"w":1,"h":1,"ddd":0}]}"#,
            #"{"a":"v","b":"fr","c":"ip"}"#,
        ])
    func others(text: String) throws { #expect(try type(text, "a.json") == "application/json") }

    @Test("Packed ones are told by their names")
    func packed() throws {
        let gzip: [UInt8] = [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 3, 1, 2, 3]
        #expect(try type(gzip, "a.tgs") == "application/x-tgsticker" && type(gzip, "a.gz") == "application/gzip")
        let zip = [0x50, 0x4B, 3, 4] + [UInt8](repeating: 0, count: 60)
        #expect(try type(zip, "a.lottie") == "application/zip+dotlottie" && type(zip, "a.zip") == "application/zip")
    }

    @Test("A text with the ending of animations is drawn as one where nobody draws it as an animation")
    func texts() throws {
        let file = Products.checkout.appending(path: "Plugins/Renderers/Text/plugin.json")
        let manifest = try PluginManifest(json: Array(Data(contentsOf: file)), file: file.path)
        #expect(try manifest.types.contains(type("notes\n", "a.lottie")))
        #expect(try type("notes\n", "a.tgs") == "text/plain")
    }

    @Test(
        "Names of members are 1 to 8 words",
        arguments: ["[]", #"["a b"]"#, #"[""]"#, "[1]", #"["a","b","c","d","e","f","g","h","i"]"#])
    func names(list: String) {
        let manifest = """
            {"id":"a","version":"1","abi":1,"kind":"renderer","library":"a.so","types":["a/b"],
            "magic":[{"type":"a/b","json":\(list)}]}
            """
        #expect(throws: PluginError.self) { try PluginManifest(json: Array(manifest.utf8), file: "plugin.json") }
    }
}

import PluginHost
import Testing

@Suite("Patterns of manifests tell types by their content")
struct MagicPatternTests {
    private func sniff(_ head: [UInt8], _ name: String, _ magic: [MagicPattern]) -> SniffedType {
        TypeSniffer(magic: magic).type(head: head, name: Array(name.utf8), size: Int64(head.count))
    }

    private func patterns(_ json: String) throws -> [MagicPattern] {
        let manifest = """
            { "id": "x", "version": "1", "abi": 1, "kind": "renderer", "library": "x.so",
              "types": ["x/a", "x/b", "application/zip"], "magic": [\(json)] }
            """
        return try PluginManifest(json: Array(manifest.utf8), file: "plugin.json").magic
    }

    @Test func theMostSpecificPatternWins() throws {
        let magic = try patterns(
            """
            { "type": "x/a", "offset": 0, "bytes": "2550" },
            { "type": "x/b", "offset": 0, "bytes": "25", "and": [{ "offset": 2, "bytes": "4446" }] }
            """)
        #expect(sniff(Array("%PDF-1.7".utf8), "a.pdf", magic) == SniffedType(mimeType: "x/b", found: .magic))
        #expect(sniff(Array("%Pxx".utf8), "a.pdf", magic) == SniffedType(mimeType: "x/a", found: .magic))
        #expect(sniff(Array("-".utf8), "", magic).mimeType == "text/plain")
    }

    @Test func ofEqualPatternsTheFirstWins() throws {
        let a = try patterns("{ \"type\": \"x/a\", \"offset\": 0, \"bytes\": \"25\" }")
        let b = try patterns("{ \"type\": \"x/b\", \"offset\": 0, \"bytes\": \"25\" }")
        #expect(sniff(Array("%".utf8), "", a + b).mimeType == "x/a")
        #expect(sniff(Array("%".utf8), "", b + a).mimeType == "x/b")
    }

    @Test func patternsMayLieFurtherIn() throws {
        let magic = try patterns("{ \"type\": \"x/a\", \"offset\": 2, \"bytes\": \"2550\", \"within\": 4 }")
        for shift in 0...10 {
            let head = Array(repeating: UInt8(ascii: "-"), count: shift) + Array("%P".utf8)
            #expect((sniff(head, "", magic).mimeType == "x/a") == (2...6 ~= shift), "\(shift)")
        }
    }

    @Test func patternsStopAtTheEndOfTheHead() throws {
        let magic = try patterns("{ \"type\": \"x/a\", \"offset\": 0, \"bytes\": \"2550\", \"within\": 4094 }")
        let head = Array(repeating: UInt8(ascii: "-"), count: 4094) + Array("%P".utf8)
        #expect(sniff(head, "", magic).mimeType == "x/a")
        #expect(sniff([UInt8(ascii: "-")] + head, "", magic).mimeType == "text/plain")
    }
}

import ArchiveReading
import RendererFixtures
import Testing
import VitrineKit
import VitrineTesting

@testable import ArchiveRenderer

@Suite struct TorrentTests {
    private func draw(_ bytes: [UInt8], wantsText: Bool = true) throws -> Rendering {
        let renderer = try ArchiveRenderer(RendererEnvironment(pluginFolder: "/"))
        var request = RenderRequest(box: 256, mimeType: TorrentFile.type)
        request.wantsText = wantsText
        return try renderer.render(BytesInput(bytes), request)
    }

    private func failure(_ text: String) -> PluginError.Code? {
        RendererFixtures.failure { try draw(Array(text.utf8)) }
    }

    private func names(_ text: String) throws -> [String] {
        try Array(text.utf8).withUnsafeBytes { bytes in
            try TorrentFile(bytes).members.map { "\(String(decoding: $0.name, as: UTF8.self)) \($0.size ?? -1)" }
        }
    }

    @Test("It keeps the renderer's contract") func conformance() throws {
        let bytes = try Fixtures.bytes("archive/project.torrent")
        let suite = RendererConformance(
            samples: [RendererSample("torrent", mimeType: TorrentFile.type, bytes: bytes)], enlarges: true
        ) { environment throws(PluginError) in try ArchiveRenderer(environment) }
        #expect(suite.violations() == [])
    }

    @Test("Its files are listed as those of an archive are, and it says what it is called and when it was made")
    func files() throws {
        let rendering = try draw(try Fixtures.bytes("archive/project.torrent"))
        #expect(rendering.facts.title == "project" && rendering.facts.text(.created) == "2024-01-01T00:00:00Z")
        #expect(rendering.facts.details[.members] == .number(6))
        #expect(rendering.facts.text?.hasPrefix("For Alice\nproject/README.md\nproject/Makefile\n") == true)
        let archive = try Archive(BytesInput(try Fixtures.bytes("archive/project.zip")))
        let listed = try Fixtures.bytes("archive/project.torrent").withUnsafeBytes { try TorrentFile($0).members }
        #expect(ArchiveContents(listed, isWhole: true).rows.map(\.name) == ArchiveContents(archive).rows.map(\.name))
    }

    @Test("Files of both versions are known, one alone too, and those in UTF-8 before others")
    func versions() throws {
        #expect(try names("d4:infod6:lengthi7e4:name5:a.txtee") == ["a.txt 7"])
        let two = "d4:infod5:filesld6:lengthi7e4:pathl1:b1:ceed4:attr1:p6:lengthi9e4:pathl4:.pad1:9eee4:name1:aee"
        #expect(try names(two) == ["a/b/c 7"])
        let twins = "d4:infod5:filesld6:lengthi7e4:pathl1:?e10:path.utf-8l2:\u{E4}eee4:name1:?10:name.utf-82:\u{F6}ee"
        #expect(try names(twins) == ["\u{F6}/\u{E4} 7"])
        let tree = "d4:infod9:file treed1:bd1:cd0:d6:lengthi7eeee1:dd0:d6:lengthi8eeee4:name1:aee"
        #expect(try names(tree) == ["a/b/c 7", "a/d 8"])
        #expect(try names("d4:infod9:file treed1:ad0:d6:lengthi8eeee4:name1:aee") == ["a 8"])
        let russian =
            Array("d8:encoding12:windows-12514:infod6:lengthi7e4:name3:".utf8) + [0xF1, 0xEB, 0xEE] + Array("ee".utf8)
        let listed = try russian.withUnsafeBytes {
            try TorrentFile($0).members.map { String(decoding: $0.name, as: UTF8.self) }
        }
        #expect(listed == ["\u{441}\u{43B}\u{43E}"])
        // Twins in UTF-8 are in UTF-8, also where they are cut; an encoding that nobody knows is none.
        let letters = String(repeating: "\u{44F}", count: 200)
        let twin = "d8:encoding12:windows-12514:infod6:lengthi7e10:name.utf-8400:\(letters)ee"
        #expect(try names(twin) == [String(repeating: "\u{44F}", count: 127) + " 7"])
        let strange = "d8:encoding99:\(String(repeating: "x", count: 99))4:infod6:lengthi7e4:name1:aee"
        #expect(try names(strange) == ["a 7"] && names("d4:infod6:lengthi7e4:name1:/ee") == ["(without a name) 7"])
        // A name that is none, and one that is far too long.
        #expect(try names("d4:infod6:lengthi7eee") == ["(without a name) 7"])
        let long = "d4:infod6:lengthi7e4:name5000:\(String(repeating: "a", count: 5000))ee"
        #expect(try names(long) == [String(repeating: "a", count: 255) + " 7"])
        // Neither a length that cannot be, nor a name with the sign that divides folders.
        #expect(try names("d4:infod6:lengthi-7e4:name3:a/bee") == ["ab 0"])
    }

    @Test("What is empty, cut off, something else or too deep is refused")
    func bad() throws {
        let whole = "d4:infod6:lengthi7e4:name5:a.txtee"
        #expect(failure("") == .empty && failure("d4:infod5:filesle4:name1:aee") == .empty)
        for count in 1..<whole.utf8.count { #expect(failure(String(whole.prefix(count))) == .corrupt, "\(count)") }
        for text in [
            "x", "i7e", "le", "de", "d4:info1:ae", "d4:infoi7ee", "d4:infod4:name99999999999999999999:aee", "i", "i-e",
            "d4:infod4:name-1:aee", "di7ei7ee", String(repeating: "l", count: 100_000),
        ] {
            #expect(failure(text) == .corrupt, "\(text.prefix(40))")
        }
        #expect(failure(whole + "more") == nil)
    }
}
